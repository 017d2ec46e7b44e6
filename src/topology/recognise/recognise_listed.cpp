// Families whose members follow from a few numbers: Slim Fly, PolarFly, PolarStar, Kautz, twisted torus,
// HammingMesh, Dragonfly+. Counts say which members a fabric could be; it is one if it differs from it only
// in the numbers of its nodes, or if some cables between switches are missing besides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "topology/recognise/damaged_member.hpp"
#include "topology/recognise/guess_graphs.hpp"
#include "topology/recognise/placed_switches.hpp"
#include "topology/recognise/same_graph.hpp"

namespace banyan::topology {
namespace {

// A fabric whose NICs have one cable each, to a switch.
struct HostedSwitches {
  std::vector<Node> switches;
  std::vector<std::vector<Node>> hosts;  // by place in `switches`, in order of ports
  ColouredGraph graph;                   // switches with hosts are of colour 1
  u64 cables = 0;                        // between switches

  explicit HostedSwitches(const Fabric& fabric) {
    IdVector<Node, u32> number(fabric.nodes().size());
    for (const Node v : fabric.switch_nodes()) {
      number[v] = static_cast<u32>(switches.size());
      switches.push_back(v);
    }
    hosts.resize(switches.size());
    graph.neighbours.resize(switches.size());
    for (u32 s = 0; s < switches.size(); ++s)
      for (const Channel c : fabric.channels(switches[s])) {
        if (!fabric.cabled(c)) continue;
        if (fabric.is_switch(fabric.to(c)))
          graph.neighbours[s].push_back(number[fabric.to(c)]), ++cables;
        else
          hosts[s].push_back(fabric.to(c));
      }
    cables /= 2;
    for (const auto& at : hosts) graph.colours.push_back(at.empty() ? 0 : 1);
  }

  u32 count() const { return static_cast<u32>(switches.size()); }
  u32 leaves() const { return static_cast<u32>(std::ranges::count(graph.colours, 1u)); }
  u32 hosts_of_a_leaf() const {
    std::size_t out = 0;
    for (const auto& at : hosts) out = std::max(out, at.size());
    return static_cast<u32>(out);
  }
};

// The q of which q^2 + b q + c is n, if there is one.
std::optional<u32> root_of(u64 n, u64 b, u64 c) {
  const u64 about = static_cast<u64>(std::sqrt(static_cast<double>(n)));
  for (u64 q = about > 2 ? about - 2 : 0; q <= about + 2; ++q)
    if (q * q + b * q + c == n) return static_cast<u32>(q);
  return std::nullopt;
}

void add_field_graphs(u32 n, std::vector<std::string>& out) {
  if (n % 2 == 0)
    if (const auto q = root_of(n / 2, 0, 0)) out.push_back(fmt::format("SlimFly({}", *q));
  if (const auto q = root_of(n, 1, 1)) out.push_back(fmt::format("PolarFly({}", *q));
  for (u32 p = 5; p <= n / 7; p += 4)
    if (n % p == 0)
      if (const auto q = root_of(n / p, 1, 1)) out.push_back(fmt::format("PolarStar({},{}", *q, p));
}

void add_kautz_graphs(u32 n, std::vector<std::string>& out) {
  for (u32 d = 2; d < n; ++d) {
    u64 words = u64{d} + 1;
    for (u32 letters = 1; words <= n; ++letters, words *= d)
      if (words == n && letters > 1) out.push_back(fmt::format("Kautz({},{}", d, letters));
    if (u64{d} * (d + 1) > n) break;
  }
}

// Two or three dimensions, the longest of a notation first; the nearest to squares before others.
void add_twisted_tori(u32 n, std::vector<std::string>& out) {
  for (u32 last = static_cast<u32>(std::sqrt(n)); last >= 2; --last) {
    if (n % last != 0) continue;
    out.push_back(fmt::format("TwistedTorus({}x{}", n / last, last));
    for (u32 middle = last; u64{middle} * middle <= n / last; ++middle)
      if (n / last % middle == 0)
        out.push_back(fmt::format("TwistedTorus({}x{}x{}", n / last / middle, middle, last));
  }
}

// As many rows and columns of accelerators as there are switches without hosts.
void add_hamming_meshes(const HostedSwitches& raw, std::vector<std::string>& out) {
  const u32 leaves = raw.leaves(), lines = raw.count() - leaves;
  for (u32 columns = 1; columns < lines; ++columns) {
    const u32 rows = lines - columns;
    if (u64{columns} * rows != leaves) continue;
    for (u32 a = 1; a <= columns; ++a)
      for (u32 b = 1; columns % a == 0 && b <= rows; ++b)
        if (rows % b == 0)
          out.push_back(fmt::format("HammingMesh({},{}; {},{}", a, b, columns / a, rows / b));
  }
}

void add_dragonflies_plus(const HostedSwitches& raw, u32 hosts, std::vector<std::string>& out) {
  u32 spines = 0, leaves = 0, global_ports = 0;  // of a group; of a spine
  for (u32 s = 0; s < raw.count(); ++s) {
    const auto& beside = raw.graph.neighbours[s];
    const u32 below =
        static_cast<u32>(std::ranges::count_if(beside, [&](u32 w) { return !raw.hosts[w].empty(); }));
    if (!raw.hosts[s].empty()) {
      spines = std::max(spines, static_cast<u32>(beside.size()));
    } else {
      leaves = std::max(leaves, below);
      global_ports = std::max(global_ports, static_cast<u32>(beside.size()) - below);
    }
  }
  if (leaves == 0 || global_ports == 0 || raw.leaves() % leaves != 0) return;
  for (const char* order : {"", ", order=absolute"})
    out.push_back(fmt::format("Dragonfly+({},{},{},{}; groups={}{})", hosts, leaves, spines, global_ports,
                              raw.leaves() / leaves, order));
}

std::vector<std::string> possible_members(const HostedSwitches& raw) {
  std::vector<std::string> open, out;
  const u32 hosts = raw.hosts_of_a_leaf();
  if (raw.leaves() == raw.count()) {
    add_field_graphs(raw.count(), open);
    add_kautz_graphs(raw.count(), open);
    add_twisted_tori(raw.count(), open);
  } else {
    add_hamming_meshes(raw, open);
  }
  for (const std::string& text : open) out.push_back(fmt::format("{}; hosts={})", text, hosts));
  if (raw.leaves() < raw.count()) add_dragonflies_plus(raw, hosts, out);
  return out;
}

bool has_plain_nics(const Fabric& raw) {
  return raw.columns() == 1 && raw.hosts() > 0 && std::ranges::all_of(raw.nic_nodes(), [&](Node nic) {
           return raw.cabled_ports(nic) == 1 && std::ranges::all_of(raw.channels(nic), [&](Channel c) {
                    return !raw.cabled(c) || raw.is_switch(raw.to(c));
                  });
         });
}

std::optional<Topology> member(const std::string& notation) {
  try {
    return make_topology(notation);
  } catch (const InputError&) {  // such as a number that is no prime power
    return std::nullopt;
  }
}

// With the hosts of every switch, where all are there. `place`: by switch, nowhere where it is not certain.
Candidate with_hosts(const Fabric& fabric, const HostedSwitches& raw, const Shape& shape,
                     const HostedSwitches& ideal, const std::vector<u32>& place) {
  Candidate out{shape, 1, IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  for (u32 s = 0; s < raw.count(); ++s) {
    const u32 there = place[s];
    if (there == nowhere) continue;
    out.place[raw.switches[s]] = ideal.switches[there];
    for (std::size_t i = 0; i < raw.hosts[s].size(); ++i) out.place[raw.hosts[s][i]] = ideal.hosts[there][i];
  }
  return out;
}

// Two such switches could have changed places by one swap.
bool have_one_cable_left(const SwitchNeighbours& raw, const SwitchNeighbours& ideal,
                         const std::vector<u32>& place) {
  u32 out = 0;
  for (u32 sw = 0; sw < raw.size(); ++sw) out += raw[sw].size() == 1 && ideal[place[sw]].size() > 1;
  return out > 1;
}

// A member with a few cables more, where one place of every switch explains the others.
std::optional<Candidate> damaged(const Fabric& fabric, const HostedSwitches& hosted, const Topology& member,
                                 const HostedSwitches& ideal, u64& steps) {
  const auto raw = read_switches(fabric), whole = read_switches(member.fabric);
  if (!may_lack_cables(*raw, *whole)) return std::nullopt;
  auto place = place_damaged(*raw, *whole, member.shape, steps);
  if (!place) return std::nullopt;
  const bool are_all_leaves = hosted.leaves() == hosted.count();
  if (!are_all_leaves && have_one_cable_left(raw->graph, whole->graph, *place)) return std::nullopt;
  PlacedSwitches placed(*raw, member.shape, std::make_shared<const SwitchNeighbours>(whole->graph),
                        std::move(*place));
  if (placed.doubt(are_all_leaves ? 3 : 1)) return std::nullopt;
  return with_hosts(fabric, hosted, member.shape, ideal, placed.places());
}

struct DamagedMember {
  Candidate candidate;
  ColouredGraph graph;
};

}  // namespace

std::variant<Candidate, Unrecognised> guess_listed(const Fabric& fabric) {
  if (!has_plain_nics(fabric)) return Unrecognised{};
  const HostedSwitches raw(fabric);
  if (u64{raw.leaves()} * raw.hosts_of_a_leaf() != fabric.hosts()) return Unrecognised{};
  u64 steps = 400'000'000;  // for all members together
  std::string near;
  std::optional<DamagedMember> lacking;
  for (const std::string& notation : possible_members(raw)) {
    const auto topology = member(notation);
    if (!topology) continue;
    const HostedSwitches ideal(topology->fabric);
    if (ideal.count() != raw.count()) continue;
    if (raw.cables < ideal.cables && 10 * raw.cables >= 9 * ideal.cables) {
      near = fmt::format("{} has {} cables between switches, not {}", notation, ideal.cables, raw.cables);
      if (auto next = damaged(fabric, raw, *topology, ideal, steps)) {
        if (raw.leaves() == raw.count()) return std::move(*next);
        if (lacking && !same_graph(lacking->graph, ideal.graph, steps))
          return Unrecognised{"cables are missing, and several members of a family fit as well"};
        if (!lacking) lacking = {std::move(*next), ideal.graph};
      }
    }
    if (ideal.cables != raw.cables) continue;
    if (const auto map = same_graph(raw.graph, ideal.graph, steps))
      return with_hosts(fabric, raw, topology->shape, ideal, *map);
  }
  if (lacking) return std::move(lacking->candidate);
  return Unrecognised{near};
}

}  // namespace banyan::topology
