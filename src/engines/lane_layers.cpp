#include "engines/lane_layers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace banyan {
namespace {

// The paths of one lane, as the dependencies between channels that they put there. A dependency is a channel
// between switches and the port by which its far switch goes on, if to another switch.
class Layer {
 public:
  Layer(const PortGraph& graph, const Tables& tables, Layers& layers)
      : graph_(graph),
        fabric_(graph.fabric()),
        tables_(tables),
        layers_(layers),
        first_(fabric_.channels().size()) {
    u32 count = 0;
    for (Channel c : fabric_.channels()) {
      first_[c] = count;
      if (between_switches(c)) count += fabric_.ports(fabric_.to(c));
    }
    paths_.resize(count);
  }

  // Breaks all cycles of a lane; how many paths went to the next one.
  u64 settle(u8 lane);

 private:
  struct Step {
    Channel channel;
    u32 next_port;  // the first port of the far switch that was not looked at
  };
  enum class Mark : u8 { unseen, on_path, done };

  bool between_switches(Channel c) const {
    return fabric_.cabled(c) && fabric_.is_switch(fabric_.from(c)) && fabric_.is_switch(fabric_.to(c));
  }
  u8& lane(u32 s, Address to) const {
    return layers_.lane[std::size_t{layers_.row[s]} * tables_.addresses() + index(to)];
  }
  u8 entry(Node v, Address to) const { return tables_(v, to); }

  void walk(u32 source, Address to, u32 change);
  void count_paths();
  void search(Channel start);
  void advance();
  void break_cycle(std::size_t first);
  void move_paths(Channel c, u32 port);
  void move_subtree(Channel c, Address to);
  void unwind();

  const PortGraph& graph_;
  const Fabric& fabric_;
  const Tables& tables_;
  Layers& layers_;
  u8 lane_ = 0;
  u64 moved_ = 0;
  IdVector<Channel, u32> first_;  // where a channel's dependencies begin
  std::vector<u32> paths_;        // by dependency
  IdVector<Channel, Mark> mark_;
  std::vector<Step> stack_;
  std::vector<u32> subtree_;
};

// Adds `change` to the dependencies of one path.
void Layer::walk(u32 source, Address to, u32 change) {
  const auto row = tables_.towards(to).subspan(fabric_.nics() - tables_.first_node());  // by switch
  Channel held = none<Channel>;
  for (u32 v = source; row[v] != Tables::no_port;) {
    const Channel c = fabric_.channel(graph_.node(v), Port{row[v]});
    if (!fabric_.is_switch(fabric_.to(c))) return;
    if (held != none<Channel>) paths_[first_[held] + row[v]] += change;
    held = c;
    v = graph_.number(fabric_.to(c));
  }
}

void Layer::count_paths() {
  std::fill(paths_.begin(), paths_.end(), 0);
  for (u32 a = 0; a < tables_.addresses(); ++a)
    for (u32 s = 0; s < graph_.switches(); ++s)
      if (graph_.nics_at(s) > 0 && lane(s, Address{a}) == lane_) walk(s, Address{a}, 1);
}

u64 Layer::settle(u8 lane) {
  lane_ = lane;
  moved_ = 0;
  count_paths();
  mark_.assign(fabric_.channels().size(), Mark::unseen);
  for (Channel c : fabric_.channels())
    if (between_switches(c) && mark_[c] == Mark::unseen) search(c);
  return moved_;
}

// Depth-first; a channel met again on the way closes a cycle.
void Layer::search(Channel start) {
  stack_.assign(1, {start, 0});
  mark_[start] = Mark::on_path;
  while (!stack_.empty()) advance();
}

void Layer::advance() {
  Step& top = stack_.back();
  const Node v = fabric_.to(top.channel);
  const u32 *const paths = paths_.data() + first_[top.channel], ports = fabric_.ports(v);
  while (top.next_port < ports && paths[top.next_port] == 0) ++top.next_port;
  if (top.next_port == ports) {
    mark_[top.channel] = Mark::done;
    return stack_.pop_back();
  }
  const Channel next = fabric_.channel(v, Port{top.next_port++});
  if (mark_[next] == Mark::unseen) {
    mark_[next] = Mark::on_path;
    stack_.push_back({next, 0});
  } else if (mark_[next] == Mark::on_path) {
    const auto same = [&](const Step& step) { return step.channel == next; };
    break_cycle(std::find_if(stack_.begin(), stack_.end(), same) - stack_.begin());
  }
}

// The cycle is the stack from `first` on; the ports last looked at are its dependencies.
void Layer::break_cycle(std::size_t first) {
  const auto paths = [&](const Step& step) { return paths_[first_[step.channel] + step.next_port - 1]; };
  const Step weakest = *std::min_element(stack_.begin() + first, stack_.end(),
                                         [&](const Step& a, const Step& b) { return paths(a) < paths(b); });
  move_paths(weakest.channel, weakest.next_port - 1);
  unwind();
}

// What was moved may have taken other dependencies of the stack away: it ends before the first of these.
void Layer::unwind() {
  std::size_t kept = 1;
  while (kept < stack_.size() &&
         paths_[first_[stack_[kept - 1].channel] + stack_[kept - 1].next_port - 1] > 0)
    ++kept;
  for (std::size_t i = kept; i < stack_.size(); ++i) mark_[stack_[i].channel] = Mark::unseen;
  stack_.resize(kept);
}

void Layer::move_paths(Channel c, u32 port) {
  const Node near = fabric_.from(c), far = fabric_.to(c);
  for (u32 a = 0; a < tables_.addresses(); ++a)
    if (entry(far, Address{a}) == port && entry(near, Address{a}) == index(fabric_.port(c)))
      move_subtree(c, Address{a});
}

// All sources whose way to this address goes through the channel.
void Layer::move_subtree(Channel c, Address to) {
  subtree_.assign(1, graph_.number(fabric_.from(c)));
  for (std::size_t i = 0; i < subtree_.size(); ++i) {
    const u32 v = subtree_[i];
    if (graph_.nics_at(v) > 0 && lane(v, to) == lane_) {
      walk(v, to, ~u32{0});
      lane(v, to) = static_cast<u8>(lane_ + 1);
      ++moved_;
    }
    for (const Way& way : graph_.ways(v)) {
      const Channel back = fabric_.reverse(way.channel);
      if (entry(graph_.node(way.to), to) == index(fabric_.port(back))) subtree_.push_back(way.to);
    }
  }
}

}  // namespace

std::variant<Layers, NotApplicable> layer_paths(const PortGraph& graph, const Tables& tables, u32 limit) {
  Layers out;
  out.row.resize(graph.switches());
  u32 rows = 0;
  for (u32 s = 0; s < graph.switches(); ++s) out.row[s] = graph.nics_at(s) > 0 ? rows++ : 0;
  out.lane.assign(std::size_t{rows} * tables.addresses(), 0);
  Layer layer(graph, tables, out);
  while (const u64 moved = layer.settle(static_cast<u8>(out.lanes - 1)))
    if (++out.lanes > limit)
      return NotApplicable{fmt::format("{} lanes are too few: {} of {} paths would need more", limit, moved,
                                       u64{rows} * tables.addresses())};
  return out;
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
  TableWays out{lmc, tables.addresses(), {}, {}};
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
  out.lanes.resize(std::size_t{fabric.nics()} * out.addresses);  // a row for each NIC: it may enter anywhere
  for (Node nic : fabric.nic_nodes()) {
    out.lane_row[index(nic)] = index(nic);
    for (u32 a = 0; a < out.addresses; ++a)
      if (const u8 port = tables(nic, Address{a}); port != Tables::no_port)
        out.lanes[std::size_t{index(nic)} * out.addresses + a] =
            layers.lane[std::size_t{row_behind(fabric.channel(nic, Port{port}))} * out.addresses + a];
  }
  return out;
}

}  // namespace banyan
