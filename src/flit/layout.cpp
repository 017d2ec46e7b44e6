#include "flit/layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "fabric/levels.hpp"

namespace banyan::flit {
namespace {

// Switches that no NIC can reach count as leaves.
IdVector<Node, u32> levels_to_split(const Fabric& fabric) {
  IdVector<Node, u32> level = levels_from_hosts(fabric);
  for (u32& l : level)
    if (l == no_level) l = 1;
  return level;
}

// Gives the nodes to parts, in order, so that all have about the same weight.
void deal(const std::vector<u32>& nodes, const std::vector<u64>& weight, u32 parts,
          std::vector<u16>& part_of) {
  u64 all = 0, before = 0;
  for (const u32 v : nodes) all += weight[v];
  for (const u32 v : nodes) {
    part_of[v] = static_cast<u16>((before + weight[v] / 2) * parts / std::max<u64>(all, 1));
    before += weight[v];
  }
}

// Blocks of the switches of each part.
std::vector<u8> cut_into_blocks(const Fabric& fabric, const std::vector<u16>& part_of, u32 parts,
                                u32 blocks) {
  std::vector<u16> block_of(part_of.size(), 0);
  if (blocks == 1) return std::vector<u8>(part_of.size());
  std::vector<std::vector<u32>> nodes(parts);
  std::vector<u64> weight(part_of.size());
  for (const Node v : fabric.switch_nodes()) {
    weight[index(v)] = fabric.ports(v);
    nodes[part_of[index(v)]].push_back(index(v));
  }
  for (const std::vector<u32>& own : nodes) deal(own, weight, blocks - 1, block_of);
  std::vector<u8> out(part_of.size());
  for (const Node v : fabric.switch_nodes())
    out[index(v)] = static_cast<u8>(std::min<u32>(block_of[index(v)] + 1u, blocks - 1));
  return out;
}

// 1, or the NICs and what is needed for switches.
u32 count_blocks(const Fabric& fabric, const Share& share) {
  u64 channels = 0;
  for (const Node v : fabric.switch_nodes()) channels += fabric.ports(v);
  const u64 blocks = channels / share.parts / std::max(1u, share.block_channels);
  return blocks < 2 ? 1 : static_cast<u32>(std::min<u64>(blocks + 1, Layout::max_blocks));
}

// The values that are there most often, the most frequent first.
std::vector<u32> most_frequent(const std::map<u32, u64>& counts, u32 maximum) {
  std::vector<std::pair<u64, u32>> sorted;
  for (const auto& [value, count] : counts) sorted.emplace_back(~count, value);
  std::sort(sorted.begin(), sorted.end());
  std::vector<u32> out;
  for (u32 i = 0; i < std::min<std::size_t>(maximum, sorted.size()); ++i) out.push_back(sorted[i].second);
  return out;
}

// All NICs of a host are in one part. Planes that have equally many switches are split alike, so that NICs
// stay with their switches.
void copy_first_rail(const Fabric& fabric, std::vector<u16>& part_of) {
  const u32 rails = fabric.slots(), nics = fabric.nics(), plane = fabric.switches() / rails;
  for (u32 nic = fabric.hosts(); nic < nics; ++nic) part_of[nic] = part_of[index(fabric.host(Nic{nic}))];
  if (fabric.switches() % rails != 0) return;
  for (u32 v = plane; v < fabric.switches(); ++v) part_of[nics + v] = part_of[nics + v % plane];
}

}  // namespace

std::vector<u16> split_nodes(const Fabric& fabric, u32 parts) {
  std::vector<u16> part_of(fabric.nodes().size(), 0);
  if (parts == 1) return part_of;
  const IdVector<Node, u32> level = levels_to_split(fabric);
  std::vector<u64> weight(part_of.size());
  for (const Node v : fabric.switch_nodes()) weight[index(v)] = fabric.cabled_ports(v) + 1;
  const bool are_alike = fabric.slots() > 1 && fabric.switches() % fabric.slots() == 0;
  const u32 end = fabric.nics() + fabric.switches() / (are_alike ? fabric.slots() : 1);
  const u32 top = top_level(level);
  for (u32 l = 1; l <= top; ++l) {
    std::vector<u32> nodes;
    for (const Node v : fabric.switch_nodes())
      if (level[v] == l && index(v) < end) nodes.push_back(index(v));
    deal(nodes, weight, parts, part_of);
  }
  for (const Node nic : fabric.nic_nodes())
    for (const Channel c : fabric.channels(nic))
      if (fabric.cabled(c)) {
        part_of[index(nic)] = part_of[index(fabric.to(c))];
        break;
      }
  if (fabric.slots() > 1) copy_first_rail(fabric, part_of);
  return part_of;
}

Layout::Layout(const Fabric& fabric, const NetworkOptions& options, const Share& share)
    : nics(fabric.nics()),
      nodes(fabric.nodes().size()),
      parts(share.parts),
      first_part(share.first),
      own_parts(share.own),
      lanes(options.lanes),
      shift(static_cast<u32>(std::bit_width(options.lanes - 1))),
      largest_flight(1),
      window(~u32{0}),
      has_slow(false),
      blocks(count_blocks(fabric, share)),
      part_of(split_nodes(fabric, share.parts)) {
  block_of = cut_into_blocks(fabric, part_of, parts, blocks);
  double fastest = 0;
  std::map<u32, u64> flights, latencies;  // how many channels have them
  u32 max_ports = 1;
  for (const LinkClass& link : fabric.link_classes()) fastest = std::max(fastest, link.capacity);
  exits.resize(fabric.channels().size());
  for (const Node v : fabric.nodes()) {
    first_exit.push_back(index(*fabric.channels(v).begin()));
    if (fabric.is_switch(v)) max_ports = std::max(max_ports, fabric.ports(v));
    for (const Channel c : fabric.channels(v)) {
      ChannelEnd exit;
      exit.node = v;
      if (is_own(v)) exits[index(c)] = exit;
      if (!fabric.cabled(c)) continue;
      const LinkClass& link = fabric.link_class(c);
      const Node to = fabric.to(c);
      exit.far = lane(fabric.reverse(c), 0);
      exit.latency = static_cast<u32>(std::max(1L, std::lround(link.latency)));
      exit.to_nic = !fabric.is_switch(to);
      exit.flight = exit.latency + (exit.to_nic ? 0 : options.switch_cycles) +
                    (fabric.is_switch(v) ? options.crossing_cycles : 0);
      exit.step = static_cast<u32>(std::lround(65536.0 * fastest / link.capacity));
      exit.far_part = part(to);
      has_slow |= exit.step != 65536;
      largest_flight = std::max({largest_flight, exit.flight, exit.latency});
      ++flights[flight_kind(exit)];
      ++latencies[exit.latency];
      if (part(v) != part(to)) window = std::min(window, exit.latency);
      if (is_own(v)) exits[index(c)] = exit;
    }
  }
  first_exit.push_back(fabric.channels().size());
  usual_flights = most_frequent(flights, max_usual);
  usual_latencies = most_frequent(latencies, max_usual);
  words = ((max_ports << shift) + 63) / 64;
  port_words = (max_ports + 63) / 64;
}

u16 Layout::usual_place(const std::vector<u32>& delays, u32 delay, LaneId to) const {
  const auto found = std::find(delays.begin(), delays.end(), delay);
  if (found == delays.end()) return 0;
  return static_cast<u16>(1 + static_cast<u32>(found - delays.begin()) * blocks + block(to));
}

}  // namespace banyan::flit
