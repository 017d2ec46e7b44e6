#include "formats/subnet.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "base/file.hpp"
#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/open.hpp"

namespace banyan::formats {
namespace {

// The cable of a NIC; none<Channel> without one.
Channel cable_of(const Fabric& fabric, Node nic) {
  for (Channel c : fabric.channels(nic))
    if (fabric.cabled(c)) return c;
  return none<Channel>;
}

const InfinibandIds::Attachment& attachment(const Fabric& fabric, const InfinibandIds& ids, Node node) {
  return fabric.is_switch(node) ? ids.nodes[node].port0 : ids.nic_channels[cable_of(fabric, node)];
}

// Why InfiniBand cannot address this; empty when it can.
std::string unaddressable(const Fabric& fabric) {
  for (Node v : fabric.nodes()) {
    if (!fabric.is_switch(v) && fabric.cabled_ports(v) > 1)
      return fmt::format("'{}' has {} cables; in InfiniBand every port of a NIC has addresses of its own",
                         fabric.name(v), fabric.cabled_ports(v));
    for (Channel c : fabric.channels(v))
      if (fabric.cabled(c) && fabric.port_number(c) > max_infiniband_ports)
        return fmt::format("'{}' has a port {}; in InfiniBand a node has at most {}", fabric.name(v),
                           fabric.port_number(c), max_infiniband_ports);
  }
  return "";
}

class LidSpace {
 public:
  bool take(u32 first, u32 count) {
    if (first == 0 || first % count != 0 || first + count - 1 > max_lid) return false;
    for (u32 lid = first; lid < first + count; ++lid)
      if (taken_[lid]) return false;
    for (u32 lid = first; lid < first + count; ++lid) taken_[lid] = true;
    return true;
  }
  u16 take_lowest(u32 count, u32& from) {  // 0: there is none at or behind `from`
    for (from = (from + count - 1) / count * count; from <= max_lid; from += count)
      if (take(from, count)) return static_cast<u16>(from);
    return 0;
  }

 private:
  std::vector<bool> taken_ = std::vector<bool>(max_lid + 1, false);
};

std::string too_many(const Fabric& fabric, u32 nics, u32 switches, u32 lmc) {
  std::string fits = "no LMC fits";
  for (u32 less = lmc; less-- > 0;)
    if ((u64{nics + 1} << less) + switches <= max_lid) {
      fits = fmt::format("LMC {} ({} addresses a NIC) would fit", less, 1u << less);
      break;
    }
  return fmt::format(
      "{} NICs with {} addresses each and {} switches need more than the {} LIDs of a subnet{}; {}", nics,
      1u << lmc, switches, max_lid, fabric.planes() > 1 ? ", and all planes are in one here" : "", fits);
}

}  // namespace

u32 Subnet::top_lid() const {
  u32 top = 0;
  for (Node v : fabric->nodes())
    if (has(v)) top = std::max(top, lids[v] + lid_count(v) - 1);
  return top;
}

u64 Subnet::port_guid(Node node) const { return attachment(*fabric, ids, node).guid; }

std::variant<Subnet, NotApplicable> assign_lids(const Fabric& fabric, InfinibandIds known, u32 lmc) {
  if (std::string why = unaddressable(fabric); !why.empty()) return NotApplicable{std::move(why)};
  const bool fresh = known.empty();
  Subnet out{&fabric, complete_ids(fabric, std::move(known)), lmc,
             IdVector<Node, u16>(fabric.nodes().size(), 0), 0};
  LidSpace space;
  u32 nics = 0, switches = 0;
  for (Node v : fabric.nodes()) {
    if (fabric.cabled_ports(v) == 0) continue;
    ++(fabric.is_switch(v) ? switches : nics);
    const u16 lid = attachment(fabric, out.ids, v).lid;
    if (!fresh && lid != 0 && space.take(lid, out.lid_count(v))) out.lids[v] = lid;
  }
  u32 next_nic = 1, next_switch = 1;
  for (Node v : fabric.nodes()) {
    if (fabric.cabled_ports(v) == 0 || out.has(v)) continue;
    out.lids[v] = space.take_lowest(out.lid_count(v), fabric.is_switch(v) ? next_switch : next_nic);
    if (!out.has(v)) return NotApplicable{too_many(fabric, nics, switches, lmc)};
  }
  return out;
}

namespace {

constexpr u32 lids_step = 1000;  // the paper's group of a LID: LID / 1000

// The least multiple of the step, and of a NIC's addresses, that holds any group; LID 0 is nobody's.
u32 lids_per_group(const Fabric& fabric, const AddressChoice& choice, u32 lmc) {
  std::vector<u32> nics(choice.groups, 0);
  nics[0] = 1;
  for (Node v : fabric.nic_nodes())
    if (fabric.cabled_ports(v) > 0) ++nics[choice.group[index(v)]];
  const u32 maximum = *std::max_element(nics.begin(), nics.end()) << lmc;
  u32 out = lids_step;
  while (out < maximum || out % (1u << lmc) != 0) out += lids_step;
  return out;
}

// The first LID of the switches of each group, and of switches without hosts, or with hosts of several
// groups. The paper adds ten steps to the LIDs of a group; where that does not fit, all stand behind the
// hosts.
struct SwitchLids {
  std::vector<u32> next;
  IdVector<Node, u32> group;  // by node; those of switches count

  SwitchLids(const Fabric& fabric, const AddressChoice& choice, u32 each)
      : group(fabric.nodes().size(), choice.groups) {
    std::vector<u32> switches(choice.groups + 1, 0);
    for (Node v : fabric.switch_nodes()) {
      for (Channel c : fabric.channels(v)) {
        if (!fabric.cabled(c) || fabric.is_switch(fabric.to(c))) continue;
        const u32 of = choice.group[index(fabric.to(c))];
        group[v] = group[v] == choice.groups || group[v] == of ? of : choice.groups + 1;
      }
      group[v] = std::min(group[v], choice.groups);
      ++switches[group[v]];
    }
    const bool as_paper = choice.groups <= 10 &&
                          *std::max_element(switches.begin(), switches.end()) <= each &&
                          u64{each} * (10 + choice.groups) + switches.back() <= max_lid;
    u32 behind = each * choice.groups;
    for (u32 g = 0; g <= choice.groups; ++g) {
      next.push_back(as_paper ? each * (10 + g) : behind);
      behind += switches[g];
    }
  }
};

}  // namespace

std::variant<Subnet, NotApplicable> assign_lids(const Fabric& fabric, InfinibandIds known, u32 lmc,
                                                const AddressChoice& choice) {
  if (std::string why = unaddressable(fabric); !why.empty()) return NotApplicable{std::move(why)};
  const u32 each = lids_per_group(fabric, choice, lmc);
  if (u64{each} * choice.groups + fabric.switches() > max_lid)
    return assign_lids(fabric, std::move(known), lmc);
  Subnet out{&fabric, complete_ids(fabric, std::move(known)), lmc,
             IdVector<Node, u16>(fabric.nodes().size(), 0), each};
  std::vector<u32> next(choice.groups);
  for (u32 g = 0; g < choice.groups; ++g) next[g] = std::max(g * each, 1u << lmc);
  SwitchLids switches(fabric, choice, each);
  for (Node v : fabric.nodes()) {
    if (fabric.cabled_ports(v) == 0) continue;
    u32& lid = fabric.is_switch(v) ? switches.next[switches.group[v]] : next[choice.group[index(v)]];
    out.lids[v] = static_cast<u16>(lid);
    lid += out.lid_count(v);
  }
  return out;
}

Subnet subnet_with(const Fabric& fabric, InfinibandIds known, const LidsByGuid& lids,
                   const std::string& file) {
  if (const std::string why = unaddressable(fabric); !why.empty()) throw InputError(why);
  Subnet out{&fabric, complete_ids(fabric, std::move(known)), 0,
             IdVector<Node, u16>(fabric.nodes().size(), 0), 0};
  std::map<u32, Node> by_size;  // blocks of NICs: how many LIDs, and one that has so many
  for (Node v : fabric.nodes()) {
    if (fabric.cabled_ports(v) == 0) continue;
    const auto found = lids.find(out.port_guid(v));
    if (found == lids.end())
      throw InputError(Place{file}, fmt::format("found no LID of '{}', whose port GUID is 0x{:016x}",
                                                fabric.name(v), out.port_guid(v)));
    const auto [first, last] = found->second;
    out.lids[v] = first;
    if (!fabric.is_switch(v)) by_size.emplace(last - first + 1, v);
  }
  if (by_size.empty()) return out;
  const auto [size, node] = *by_size.begin();
  if (by_size.size() > 1)
    throw InputError(
        Place{file},
        fmt::format("found {} LIDs of '{}' and {} of '{}', expected the same number for all", size,
                    fabric.name(node), by_size.rbegin()->first, fabric.name(by_size.rbegin()->second)));
  if (!std::has_single_bit(size) || size > 128)
    throw InputError(Place{file}, fmt::format("found {} LIDs of '{}', expected 1, 2, 4 ... or 128", size,
                                              fabric.name(node)));
  out.lmc = static_cast<u32>(std::countr_zero(size));
  return out;
}

LidsByGuid lids_of(const Fabric& fabric, const InfinibandIds& ids) {
  LidsByGuid out;
  if (ids.empty()) return out;
  const auto add = [&](const InfinibandIds::Attachment& port) {
    if (port.guid != 0 && port.lid != 0)
      out[port.guid] = {port.lid, static_cast<u16>(port.lid + (1u << port.lmc) - 1)};
  };
  for (const auto& port : ids.nic_channels) add(port);
  for (Node v : fabric.switch_nodes()) add(ids.nodes[v].port0);
  return out;
}

LidsByGuid read_guid2lid(std::istream& in, const std::string& file) {
  LidsByGuid out;
  LineReader lines(in, file);
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '#') continue;
    const auto words = split(line, ' ');
    if (words.size() != 3)
      lines.fail(fmt::format("found {}, expected a port GUID, its first and its last LID", shown(line)));
    const auto guid = parse_hex(words[0]), first = parse_hex(words[1]), last = parse_hex(words[2]);
    if (!guid) lines.fail(fmt::format("found {}, expected a GUID in hexadecimal digits", shown(words[0])));
    if (!first || !last || *first == 0 || *last < *first || *last > max_lid)
      lines.fail(fmt::format("found {} to {}, expected LIDs from 0x1 to 0x{:x}", shown(words[1]),
                             shown(words[2]), max_lid));
    out[*guid] = {static_cast<u16>(*first), static_cast<u16>(*last)};
  }
  return out;
}

void write_guid2lid(std::ostream& out, const Subnet& subnet) {
  for (Node v : subnet.fabric->nodes())
    if (subnet.has(v))
      base::print(out, "0x{:016x} 0x{:04x} 0x{:04x}\n\n", subnet.port_guid(v), subnet.lids[v],
                  subnet.lids[v] + subnet.lid_count(v) - 1);
}

LidsByGuid open_lids(const std::string& path) {
  std::ifstream in = open_input(path);
  std::string start(2, '\0');
  in.read(start.data(), 2);
  if (start == "0x") {
    in.clear();
    in.seekg(0);
    return read_guid2lid(in, path);
  }
  const FabricFile file = open_fabric(path);
  return lids_of(file.topology.fabric, file.ids);
}

}  // namespace banyan::formats
