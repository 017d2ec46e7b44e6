#include "formats/host_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "fabric/names.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

class AddressReader {
 public:
  AddressReader(const std::string& file, const Fabric& fabric)
      : file_(file), fabric_(fabric), names_(fabric), next_(fabric.hosts()), out_(fabric.nics()) {
    for (u32 h = 0; h < fabric.hosts(); ++h) hosts_.emplace(fabric.host_name(Host{h}), h);
    for (const Node node : fabric.switch_nodes()) switches_.emplace(without_domain(fabric.name(node)));
  }

  void read_line(const std::string& line, u64 number) {
    std::istringstream text(line.substr(0, line.find('#')));
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (words.empty()) return;
    const auto address = parse_ip(words[0]);
    if (!address || words.size() < 2)
      throw InputError(Place{file_, number},
                       fmt::format("found {}, expected an address and the name of a host", shown(line)));
    if (is_special({*address, address->bits()})) return;
    std::set<u32> hosts;  // of several names of one host, the first counts
    bool names_anybody = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto found = find_host(words[i]);
      const auto node = found ? std::nullopt : names_.find(words[i]);  // h12.r1
      if (node && !fabric_.is_switch(*node)) give(fabric_.nic(*node), *address, number);
      if (found && hosts.insert(*found).second) give_host(*found, *address, number);
      names_anybody |= found || node || switches_.contains(without_domain(words[i]));
    }
    if (!names_anybody)
      throw InputError(Place{file_, number},
                       fmt::format("found {}, expected the name of a host of the fabric", shown(words[1])));
  }

  HostAddresses take() { return std::move(out_); }

 private:
  std::optional<u32> find_host(const std::string& name) const {
    auto found = hosts_.find(name);
    if (found == hosts_.end()) found = hosts_.find(std::string(without_domain(name)));
    return found == hosts_.end() ? std::nullopt : std::optional(found->second);
  }

  void give_host(u32 host, const IpAddress& address, u64 number) {
    if (next_[host] < fabric_.rails()) return give(fabric_.nic(Host{host}, next_[host]++), address, number);
    const auto& last = out_[index(fabric_.nic(Host{host}, fabric_.rails() - 1))];
    if (last && last->is_v6 != address.is_v6) return;  // of the other version
    throw InputError(Place{file_, number},
                     fmt::format("found another address of {}, expected one for each of its NICs, {}",
                                 fabric_.host_name(Host{host}), fabric_.rails()));
  }

  void give(Nic nic, const IpAddress& address, u64 number) {
    const auto [found, is_new] = owner_.emplace(address, nic);
    if (!is_new && found->second != nic)
      throw InputError(Place{file_, number}, fmt::format("found {} for {}, which is the address of {}",
                                                         address.str(), fabric_.name(fabric_.node(nic)),
                                                         fabric_.name(fabric_.node(found->second))));
    out_[index(nic)] = address;
  }

  const std::string& file_;
  const Fabric& fabric_;
  const NameIndex names_;
  std::unordered_map<std::string, u32> hosts_{};
  std::set<std::string, std::less<>> switches_{};
  std::vector<u32> next_;  // by host: the rail of its next address
  std::map<IpAddress, Nic> owner_{};
  HostAddresses out_;
};

}  // namespace

std::string_view without_domain(std::string_view name) { return name.substr(0, name.find('.')); }

HostAddresses read_host_addresses(std::istream& in, const std::string& file, const Fabric& fabric) {
  AddressReader reader(file, fabric);
  std::string line;
  for (u64 number = 1; std::getline(in, line); ++number) reader.read_line(line, number);
  return reader.take();
}

std::vector<u32> open_ipv4_addresses(const std::string& file, const Fabric& fabric) {
  std::ifstream in = open_input(file);
  std::vector<u32> out;
  for (const auto& address : read_host_addresses(in, file, fabric)) {
    const std::string& name = fabric.name(fabric.node(Nic{static_cast<u32>(out.size())}));
    if (!address) throw InputError(Place{file}, fmt::format("found no address of {}", name));
    if (address->is_v6)
      throw InputError(Place{file}, fmt::format("found {} for {}, expected IPv4", address->str(), name));
    const auto& b = address->bytes;
    out.push_back(u32{b[0]} << 24 | u32{b[1]} << 16 | u32{b[2]} << 8 | b[3]);
  }
  return out;
}

}  // namespace banyan::formats
