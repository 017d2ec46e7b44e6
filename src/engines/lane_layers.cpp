#include "engines/lane_layers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "engines/lane_graph.hpp"
#include "routing/walk.hpp"

namespace banyan::engines {
namespace {

class Layering {
 public:
  Layering(const PortGraph& graph, const Tables& tables, Layers& layers)
      : graph_(graph), fabric_(graph.fabric()), tables_(tables), layers_(layers), dependencies_(graph) {}

  // Frees a lane of cycles; how many paths went to the next one.
  u64 settle(u8 lane, bool come_back);

 private:
  struct Dependency {
    Channel held;
    Port port;
  };

  u8& lane(Switch s, Address to) {
    return layers_.lane[std::size_t{layers_.row[s]} * tables_.addresses() + index(to)];
  }
  void move_paths(Channel held, Port port);
  void move_subtree(Switch root, Address to);
  void bring_back();
  bool comes_back(Switch source, Address to);

  // f(held, port) for each dependency of a path until it says no; whether it never did. The tables must not
  // lead in circles. A row is read, for speed.
  template <class F>
  bool follow(Switch source, Address to, F f) const;
  // f(source, to) for each path in a lane.
  template <class F>
  void each_path(u8 lane, F f);

  const PortGraph& graph_;
  const Fabric& fabric_;
  const Tables& tables_;
  Layers& layers_;
  LaneGraph dependencies_;
  u8 lane_ = 0;
  u64 moved_ = 0;
  std::vector<Switch> subtree_;
  std::vector<Dependency> added_;
};

template <class F>
bool Layering::follow(Switch source, Address to, F f) const {
  const auto row = tables_.towards(to).subspan(fabric_.nics() - tables_.first_node());  // by switch
  Channel held = none<Channel>;
  [[maybe_unused]] LoopRule rule;
  for (Switch v = source; row[index(v)] != Tables::no_port;) {
    const Port port{row[index(v)]};
    const Channel c = fabric_.channel(graph_.node(v), port);
    if (!fabric_.is_switch(fabric_.to(c))) return true;
    if (held != none<Channel> && !f(held, port)) return false;
    held = c;
    v = graph_.number(fabric_.to(c));
    BANYAN_HOT_ASSERT(!rule.closes(fabric_.to(c), 0), "the rule lets the path go on");
  }
  return true;
}

template <class F>
void Layering::each_path(u8 lane_wanted, F f) {
  for (u32 a = 0; a < tables_.addresses(); ++a)
    for (Switch s : graph_.switches())
      if (graph_.nics_at(s) > 0 && lane(s, Address{a}) == lane_wanted) f(s, Address{a});
}

u64 Layering::settle(u8 lane, bool come_back) {
  lane_ = lane;
  moved_ = 0;
  dependencies_.clear();
  each_path(lane_, [&](Switch source, Address to) {
    follow(source, to, [&](Channel held, Port port) { return ++dependencies_.paths(held, port), true; });
  });
  dependencies_.break_cycles([&](Channel held, Port port) { move_paths(held, port); });
  if (come_back && moved_ > 0) bring_back();
  return moved_;
}

void Layering::move_paths(Channel held, Port port) {
  const Node near = fabric_.from(held), far = fabric_.to(held);
  for (u32 a = 0; a < tables_.addresses(); ++a)
    if (tables_(far, Address{a}) == index(port) && tables_(near, Address{a}) == index(fabric_.port(held)))
      move_subtree(graph_.number(near), Address{a});
}

// All sources whose way to this address goes through a switch.
void Layering::move_subtree(Switch root, Address to) {
  subtree_.assign(1, root);
  for (std::size_t i = 0; i < subtree_.size(); ++i) {
    const Switch v = subtree_[i];
    if (graph_.nics_at(v) > 0 && lane(v, to) == lane_) {
      follow(v, to, [&](Channel held, Port port) { return --dependencies_.paths(held, port), true; });
      lane(v, to) = static_cast<u8>(lane_ + 1);
      ++moved_;
    }
    for (const Way& way : graph_.ways(v))
      if (tables_(graph_.node(way.to), to) == index(fabric_.port(fabric_.reverse(way.channel))))
        subtree_.push_back(way.to);
  }
}

void Layering::bring_back() {
  each_path(static_cast<u8>(lane_ + 1), [&](Switch source, Address to) {
    if (!comes_back(source, to)) return;
    lane(source, to) = lane_;
    --moved_;
  });
}

bool Layering::comes_back(Switch source, Address to) {
  added_.clear();
  const bool admitted = follow(source, to, [&](Channel held, Port port) {
    if (!dependencies_.admits(held, port)) return false;
    ++dependencies_.paths(held, port);
    added_.push_back({held, port});
    return true;
  });
  if (!admitted)
    for (const Dependency& d : added_) --dependencies_.paths(d.held, d.port);
  return admitted;
}

}  // namespace

std::variant<Layers, NotApplicable> layer_paths(const PortGraph& graph, const Tables& tables, u32 limit,
                                                bool returns) {
  Layers out;
  out.row.resize(graph.switches().size());
  u32 rows = 0;
  for (Switch s : graph.switches()) out.row[s] = graph.nics_at(s) > 0 ? rows++ : 0;
  Layering layering(graph, tables, out);
  u64 left = 0;  // paths that no lane took
  // Two lanes cannot become one: paths come back only where two are not enough.
  for (const bool come_back : {false, true}) {
    if (come_back && !returns) break;
    out.lane.assign(std::size_t{rows} * tables.addresses(), 0);
    const u32 maximum = come_back || !returns ? limit : std::min(limit, 2u);
    for (out.lanes = 1; (left = layering.settle(static_cast<u8>(out.lanes - 1), come_back)) > 0; ++out.lanes)
      if (out.lanes == maximum) break;
    if (left == 0) return out;
  }
  return NotApplicable{fmt::format("{} {} not enough: {} of {} paths would need more", limit,
                                   limit == 1 ? "lane is" : "lanes are", left, out.lane.size())};
}

void spread_layers(Layers& layers, u32 lanes) {
  std::vector<u64> paths(layers.lanes);
  for (u8 lane : layers.lane) ++paths[lane];
  std::vector<std::vector<u8>> parts(layers.lanes);  // of each layer: the lanes it gets
  for (u32 lane = 0; lane < layers.lanes; ++lane) parts[lane].push_back(static_cast<u8>(lane));
  for (; layers.lanes < lanes; ++layers.lanes) {
    u32 fullest = 0;
    for (u32 l = 1; l < parts.size(); ++l)
      if (paths[l] * parts[fullest].size() > paths[fullest] * parts[l].size()) fullest = l;
    parts[fullest].push_back(static_cast<u8>(layers.lanes));
  }
  std::vector<u64> turn(parts.size());
  for (u8& lane : layers.lane) lane = parts[lane][turn[lane]++ % parts[lane].size()];
}

TableWays lane_ways(const PortGraph& graph, const Tables& tables, const Layers& layers, u32 lmc) {
  TableWays out{.lmc = lmc, .addresses = tables.addresses(), .lane_row = {}, .lanes = {}};
  if (layers.lanes == 1) return out;
  const Fabric& fabric = graph.fabric();
  const auto row_behind = [&](Channel c) {
    return fabric.cabled(c) && fabric.is_switch(fabric.to(c)) ? layers.row[graph.number(fabric.to(c))] : 0;
  };
  out.lane_row.resize(fabric.nics());
  if (tables.first_node() > 0) {
    for (Node nic : fabric.nic_nodes())
      if (fabric.ports(nic) > 0) out.lane_row[index(nic)] = row_behind(fabric.channel(nic, Port{0}));
    out.lanes = layers.lane;
    return out;
  }
  out.nics_choose = true;  // a row for each NIC: it may enter anywhere
  out.lanes.resize(std::size_t{fabric.nics()} * out.addresses);
  for (Node nic : fabric.nic_nodes()) {
    out.lane_row[index(nic)] = index(nic);
    for (u32 a = 0; a < out.addresses; ++a)
      if (const u8 port = tables(nic, Address{a}); port != Tables::no_port)
        out.lanes[std::size_t{index(nic)} * out.addresses + a] =
            layers.lane[std::size_t{row_behind(fabric.channel(nic, Port{port}))} * out.addresses + a];
  }
  return out;
}

}  // namespace banyan::engines
