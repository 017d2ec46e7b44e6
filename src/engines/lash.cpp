// LASH: one shortest path for each pair of switches, each on the first lane where it closes no cycle (Skeie,
// Lysne and Theiss, IPDPS 2002).
#include <algorithm>
#include <map>
#include <tuple>

#include "engines/acyclic_dependencies.hpp"
#include "engines/tree_writer.hpp"

namespace banyan::engines {
namespace {

struct LashOptions {
  u32 lanes = 8;
  u32 lmc = 0;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes, "how many lanes it may use");
    f("lmc", self.lmc, "2^lmc addresses a NIC, each with paths of its own");
  }
};

constexpr u32 nothing = Backbone::nothing;
constexpr SwitchChannel no_exit = none<SwitchChannel>;

// Shortest paths from all switches to one destination at a time. What they share towards the destination they
// share on a lane too, so that a switch adds one dependency to those of the next switch on its path.
class LashSearch {
 public:
  LashSearch(const Backbone& backbone, u32 max_lanes)
      : b_(backbone),
        order_(backbone.natural_order()),
        max_lanes_(max_lanes),
        weight_(backbone.channels),
        cost_(backbone.switches),
        lane_(backbone.switches) {}

  bool route(std::span<const Switch> leaves);  // false if the lanes do not suffice

  const IdVector<Switch, SwitchChannel>& exits() const { return exit_; }
  const IdVector<Switch, u32>& distances() const { return distance_; }
  const IdVector<Switch, u8>& lanes() const { return lane_; }  // by source switch

 private:
  AcyclicDependencies& lane(u32 l) {
    while (lanes_.size() <= l) lanes_.emplace_back(b_, order_);
    return lanes_[l];
  }
  std::vector<Switch> nearest_first() const;
  void attach(Switch u);
  SwitchChannel best_exit(Switch u, bool permitted_only);
  bool add_path(Switch u, u32 l);
  void settle(const std::vector<Switch>& order);

  const Backbone& b_;
  IdVector<SwitchChannel, u32> order_;
  u32 max_lanes_;
  std::vector<AcyclicDependencies> lanes_;
  IdVector<SwitchChannel, u64> weight_;  // paths of hosts that use it
  IdVector<Switch, u64> cost_;           // the weights of its path
  IdVector<Switch, SwitchChannel> exit_;
  IdVector<Switch, u32> distance_;
  IdVector<Switch, u8> lane_;  // max_lanes_ when none was found
};

bool LashSearch::route(std::span<const Switch> leaves) {
  distance_ = b_.distances(leaves);
  exit_.assign(b_.switches, no_exit);
  const std::vector<Switch> order = nearest_first();
  for (Switch u : order) attach(u);
  settle(order);
  return std::none_of(order.begin(), order.end(),
                      [&](Switch u) { return lane_[u] == max_lanes_ && b_.nics[u] > 0; });
}

std::vector<Switch> LashSearch::nearest_first() const {
  std::vector<Switch> out;
  for (Switch v : b_.all_switches())
    if (distance_[v] != nothing) out.push_back(v);
  std::stable_sort(out.begin(), out.end(), [&](Switch a, Switch b) { return distance_[a] < distance_[b]; });
  return out;
}

void LashSearch::attach(Switch u) {
  lane_[u] = 0;
  cost_[u] = 0;
  if (distance_[u] == 0) return;
  const auto take = [&](SwitchChannel c) {
    exit_[u] = c;
    cost_[u] = cost_[b_.to[c]] + weight_[c];
    lane_[u] = lane_[b_.to[c]];
  };
  for (SwitchChannel c; (c = best_exit(u, true)) != no_exit;) {
    const SwitchChannel next = exit_[b_.to[c]];
    if (next == no_exit || lane(lane_[b_.to[c]]).add(c, next)) return take(c);
  }
  take(best_exit(u, false));
  while (lane_[u] < max_lanes_ && !add_path(u, lane_[u])) ++lane_[u];
}

// Of the exits on shortest paths: the lowest lane, in its present order, of least weight.
SwitchChannel LashSearch::best_exit(Switch u, bool permitted_only) {
  std::tuple best(u32{max_lanes_} + 1, true, ~u64{0});
  SwitchChannel best_exit = no_exit;
  for (SwitchChannel c : b_.exits(u)) {
    const Switch v = b_.to[c];
    const SwitchChannel next = exit_[v];
    const u32 l = lane_[v];
    if (distance_[v] + 1 != distance_[u]) continue;
    if (permitted_only && next != no_exit && (l == max_lanes_ || lane(l).is_blocked(c, next))) continue;
    const bool against = next != no_exit && l < max_lanes_ && !lane(l).in_order(c, next);
    const std::tuple key(l, against, cost_[v] + weight_[c]);
    if (key < best) best = key, best_exit = c;
  }
  return best_exit;
}

bool LashSearch::add_path(Switch u, u32 l) {
  AcyclicDependencies& dependencies = lane(l);
  const std::size_t mark = dependencies.mark();
  for (SwitchChannel c = exit_[u], next; (next = exit_[b_.to[c]]) != no_exit; c = next)
    if (!dependencies.add(c, next)) return dependencies.undo(mark), false;
  return true;
}

// Adds the weight of these paths, and gives back dependencies that no pair of hosts causes.
void LashSearch::settle(const std::vector<Switch>& order) {
  IdVector<Switch, u32> carried = b_.nics, lanes_of(b_.switches);
  for (std::size_t i = order.size(); i-- > 0;) {
    const Switch v = order[i];
    const SwitchChannel c = exit_[v];
    if (b_.nics[v] > 0) lanes_of[v] |= 1u << lane_[v];
    if (c == no_exit) continue;
    carried[b_.to[c]] += carried[v];
    lanes_of[b_.to[c]] |= lanes_of[v];
    weight_[c] += carried[v];
  }
  for (u32 l = 0; l < lanes_.size(); ++l)
    lanes_[l].settle([&](SwitchChannel held, SwitchChannel wanted) {
      const Switch v = b_.from[held];
      return exit_[v] == held && exit_[b_.to[held]] == wanted && (lanes_of[v] >> l & 1);
    });
}

// NICs that hang on the same switches are one destination.
std::map<std::vector<Switch>, std::vector<Nic>> destinations(const Backbone& b, u32 nics) {
  std::map<std::vector<Switch>, std::vector<Nic>> out;
  for (u32 n = 0; n < nics; ++n) {
    std::vector<Switch> leaves;
    for (const Plug& plug : b.plugs(Nic{n})) leaves.push_back(plug.leaf);
    if (!leaves.empty()) out[leaves].push_back(Nic{n});
  }
  return out;
}

// Lanes by source switch and address.
struct SwitchLanes {
  IdVector<Switch, u32> row;
  std::vector<u8> lanes;  // by row and address
  u32 addresses;

  SwitchLanes(const Backbone& b, u32 all_addresses) : row(b.switches), addresses(all_addresses) {
    u32 rows = 0;
    for (Switch v : b.all_switches())
      if (b.nics[v] > 0) row[v] = rows++;
    lanes.assign(std::size_t{rows} * addresses, 0);
  }
  u8& operator()(Switch v, Address to) { return lanes[std::size_t{row[v]} * addresses + index(to)]; }
};

// A NIC with several cables starts at the switch that its table says: it gets a row of its own.
TableWays ways(const Backbone& b, const Tables& tables, SwitchLanes lanes, u32 lmc, u32 nics) {
  TableWays out{.lmc = lmc, .addresses = lanes.addresses, .lane_row = {}, .lanes = {}};
  if (std::all_of(lanes.lanes.begin(), lanes.lanes.end(), [](u8 l) { return l == 0; })) return out;
  out.lanes = lanes.lanes;
  for (u32 n = 0; n < nics; ++n) {
    const auto plugs = b.plugs(Nic{n});
    if (plugs.size() <= 1) {
      out.lane_row.push_back(plugs.empty() ? 0 : lanes.row[plugs[0].leaf]);
      continue;
    }
    out.nics_choose = true;
    out.lane_row.push_back(static_cast<u32>(out.lanes.size() / out.addresses));
    for (u32 a = 0; a < out.addresses; ++a) {
      const u8 port = tables(Node{n}, Address{a});
      const auto plug =
          std::find_if(plugs.begin(), plugs.end(), [&](const Plug& p) { return p.nic_port == port; });
      out.lanes.push_back(plug == plugs.end() ? u8{0} : lanes(plug->leaf, Address{a}));
    }
  }
  return out;
}

RouteResult route_lash(const Topology& topology, const LashOptions& options) {
  if (options.lanes < 1 || options.lanes > 16) throw InputError("lash: lanes must be 1 to 16");
  const Fabric& fabric = topology.fabric;
  if (auto refused = refuse_tables(fabric, options.lmc, "lash")) return *refused;
  const Backbone backbone(fabric);
  LashSearch search(backbone, options.lanes);
  TreeWriter writer(fabric, backbone, options.lmc);
  SwitchLanes lanes(backbone, writer.tables().addresses());
  for (const auto& [leaves, nics] : destinations(backbone, fabric.nics()))
    for (u32 i = 0; i < 1u << options.lmc; ++i) {
      if (!search.route(leaves))
        return NotApplicable{fmt::format("lash needs more than {} lanes here", options.lanes)};
      for (Nic nic : nics) {
        const Address to = address_of(nic, options.lmc, i);
        writer.write(to, search.exits(), search.distances());
        for (Switch v : backbone.all_switches())
          if (backbone.nics[v] > 0) lanes(v, to) = search.lanes()[v];
      }
    }
  const u32 needed = lanes.lanes.empty() ? 1 : 1u + *std::max_element(lanes.lanes.begin(), lanes.lanes.end());
  TableWays source = ways(backbone, writer.tables(), std::move(lanes), options.lmc, fabric.nics());
  return Routing{std::move(writer).take(), Source(std::move(source)), needed, options.lmc};
}

}  // namespace

Engine lash_engine() {
  return make_engine<route_lash>(
      "lash", "Skeie, Lysne and Theiss, IPDPS 2002",
      "any graph: shortest paths, each pair of switches on the first lane that fits",
      {.deadlock_free = true, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
