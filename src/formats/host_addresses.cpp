#include "formats/host_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
      : file_(file), fabric_(fabric), names_(fabric), first_(fabric.nics()), by_version_{first_, first_} {
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
      auto found = find_host(words[i]);
      const auto node = found ? std::nullopt : names_.find(words[i]);  // h12.r1
      if (!found && !node) found = find_host(without_domain(words[i]));
      if (node && !fabric_.is_switch(*node)) give(fabric_.nic(*node), *address, number);
      if (found && hosts.insert(*found).second) give_host(*found, *address, number);
      names_anybody |= found || node || switches_.contains(without_domain(words[i]));
    }
    if (!names_anybody)
      throw InputError(Place{file_, number},
                       fmt::format("found {}, expected the name of a host of the fabric", shown(words[1])));
  }

  HostAddresses take(IpVersion version) {
    for (std::size_t i = 0; version == IpVersion::v4 && i < first_.size(); ++i)
      if (by_version_[0][i]) first_[i] = by_version_[0][i];
    return std::move(first_);
  }

 private:
  std::optional<u32> find_host(std::string_view name) const {
    const auto found = hosts_.find(std::string(name));
    return found == hosts_.end() ? std::nullopt : std::optional(found->second);
  }

  // To its first NIC that has none of this version.
  void give_host(u32 host, const IpAddress& address, u64 number) {
    for (u32 slot = 0; slot < fabric_.nics(Host{host}); ++slot)
      if (const Nic nic = fabric_.nic(Host{host}, slot); !by_version_[address.is_v6][index(nic)])
        return give(nic, address, number);
    throw InputError(Place{file_, number},
                     fmt::format("found another address of {}, expected one for each of its NICs, {}",
                                 fabric_.host_name(Host{host}), fabric_.nics(Host{host})));
  }

  void give(Nic nic, const IpAddress& address, u64 number) {
    const auto [found, is_new] = owner_.emplace(address, nic);
    const std::string& name = fabric_.name(fabric_.node(nic));
    if (!is_new && found->second != nic)
      throw InputError(Place{file_, number},
                       fmt::format("found {} for {}, which is the address of {}", address.str(), name,
                                   fabric_.name(fabric_.node(found->second))));
    auto& own = by_version_[address.is_v6][index(nic)];
    if (own && is_new)
      throw InputError(Place{file_, number}, fmt::format("found another address of {}, expected one", name));
    own = address;
    if (!first_[index(nic)]) first_[index(nic)] = address;
  }

  const std::string& file_;
  const Fabric& fabric_;
  const NameIndex names_;
  std::unordered_map<std::string, u32> hosts_{};
  std::set<std::string, std::less<>> switches_{};
  std::map<IpAddress, Nic> owner_{};
  HostAddresses first_;                      // of a NIC, of either version
  std::array<HostAddresses, 2> by_version_;  // IPv4, IPv6
};

}  // namespace

std::string_view without_domain(std::string_view name) { return name.substr(0, name.find('.')); }

HostAddresses read_host_addresses(std::istream& in, const std::string& file, const Fabric& fabric,
                                  IpVersion version) {
  AddressReader reader(file, fabric);
  std::string line;
  for (u64 number = 1; std::getline(in, line); ++number) reader.read_line(line, number);
  return reader.take(version);
}

std::vector<u32> open_ipv4_addresses(const std::string& file, const Fabric& fabric) {
  std::ifstream in = open_input(file);
  std::vector<u32> out;
  for (const auto& address : read_host_addresses(in, file, fabric, IpVersion::v4)) {
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
