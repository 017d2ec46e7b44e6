// Packets that wait for each other for ever: what the processes know of their nodes (wait_graph.hpp), put
// together.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "fabric/names.hpp"
#include "flit/inspect.hpp"
#include "flit/wait_graph.hpp"

namespace banyan::flit {
namespace {

struct Front {  // of a lane
  LaneId lane;
  WaitKey key;
};

// What all processes have found, put together: each of them comes to the same answer.
class Judgement {
 public:
  Judgement(const WaitGraph& graph, const Fabric& fabric, const Exchange* exchange, const Layout& layout)
      : fabric_(fabric), layout_(layout) {
    std::string asked, told;
    const auto all = [&](const std::string& bytes) {
      return exchange ? exchange->to_all(bytes) : std::vector<std::string_view>{bytes};
    };
    ask(graph, asked);
    std::set<LaneId> lanes;  // of this process, that others ask about
    std::set<PacketName> packets;
    for (std::string_view in : all(asked)) {
      for (const LaneId lane : take_all<LaneId>(in))
        if (layout.is_own(layout.exit_of(lane))) lanes.insert(lane);
      for (const PacketName& name : take_all<PacketName>(in)) packets.insert(name);
    }
    tell(graph, lanes, packets, told);
    for (const std::string_view in : all(told)) hear(in);
  }

  std::optional<std::string> circle();

 private:
  struct Case {
    Stuck stuck;
    std::vector<Obstacle> obstacles;
    bool can_move = false;
    std::vector<WaitKey> blockers{};
  };

  static void ask(const WaitGraph& graph, std::string& out) {
    std::vector<LaneId> lanes;
    std::vector<PacketName> packets;
    graph.each_stuck([&](const Stuck& stuck, const std::vector<Obstacle>& obstacles) {
      for (const Obstacle& o : obstacles)
        if (o.lane != none<LaneId>) lanes.push_back(o.lane);
      if (stuck.awaits_itself) packets.push_back(stuck.name());
    });
    put_all(out, lanes);
    put_all(out, packets);
  }

  static void tell(const WaitGraph& graph, const std::set<LaneId>& lanes, const std::set<PacketName>& packets,
                   std::string& out) {
    put(out, graph.size());
    std::vector<PacketName> moving;
    for (const PacketName& name : packets)
      if (graph.has_moving(name)) moving.push_back(name);
    put_all(out, moving);
    std::vector<Front> fronts;
    for (const LaneId lane : lanes)
      for (const WaitKey key : graph.in_front(lane)) fronts.push_back({lane, key});
    put_all(out, fronts);
    std::string stuck_ones;
    u64 count = 0;
    graph.each_stuck([&](const Stuck& stuck, const std::vector<Obstacle>& obstacles) {
      ++count;
      put(stuck_ones, stuck);
      put_all(stuck_ones, obstacles);
    });
    put(out, count);
    out += stuck_ones;
  }

  void hear(std::string_view in) {
    all_ += take<u64>(in);
    for (const auto& packet : take_all<PacketName>(in)) moving_.insert(packet);
    for (const auto& [lane, key] : take_all<Front>(in)) fronts_[lane].push_back(key);
    for (u64 count = take<u64>(in); count > 0; --count) {
      const auto stuck = take<Stuck>(in);
      cases_[stuck.key] = {stuck, take_all<Obstacle>(in)};
    }
  }

  void resolve();
  void find_blockers(Case& c, const std::map<PacketName, std::vector<WaitKey>>& of_packet) const;
  std::string told(const Case& c) const;

  const Fabric& fabric_;
  const Layout& layout_;
  u64 all_ = 0;
  std::map<WaitKey, Case> cases_;
  std::set<PacketName> moving_;
  std::unordered_map<LaneId, std::vector<WaitKey>> fronts_;
};

void Judgement::find_blockers(Case& c, const std::map<PacketName, std::vector<WaitKey>>& of_packet) const {
  const PacketName packet = c.stuck.name();
  if (c.stuck.awaits_itself) {
    for (const WaitKey other : of_packet.at(packet))
      if (other != c.stuck.key) c.blockers.push_back(other);
    c.can_move = c.blockers.empty() || moving_.contains(packet);
    return;
  }
  for (const Obstacle& o : c.obstacles) {
    if (o.lane == none<LaneId>) {
      c.blockers.push_back(o.key);
      continue;
    }
    const auto found = fronts_.find(o.lane);
    if (found == fronts_.end())
      c.can_move = true;
    else
      c.blockers.insert(c.blockers.end(), found->second.begin(), found->second.end());
  }
}

void Judgement::resolve() {
  std::map<PacketName, std::vector<WaitKey>> of_packet;
  for (const auto& [key, c] : cases_) of_packet[c.stuck.name()].push_back(key);
  std::unordered_map<WaitKey, std::vector<Case*>> waiting;
  std::vector<Case*> queue;
  for (auto& [key, c] : cases_) {
    find_blockers(c, of_packet);
    for (const WaitKey blocker : c.blockers) waiting[blocker].push_back(&c);
    if (c.can_move) queue.push_back(&c);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Case* other : waiting[queue[i]->stuck.key])
      if (!other->can_move) other->can_move = true, queue.push_back(other);
  std::erase_if(cases_, [](const auto& c) { return c.second.can_move; });
}

std::string Judgement::told(const Case& c) const {
  const Stuck& stuck = c.stuck;
  std::string where = fabric_.name(Node{static_cast<u32>(stuck.key >> 32)});
  if (stuck.lane != none<LaneId>)
    where = fmt::format("{}:{} lane {}{}", where, fabric_.port_label(layout_.exit_of(stuck.lane)),
                        layout_.number_of(stuck.lane), stuck.in_queue ? " (output queue)" : "");
  return fmt::format("a packet from {} to {} waits at {} for {} to {}",
                     fabric_.name(fabric_.node(stuck.source)), fabric_.name(fabric_.node(stuck.to)), where,
                     port_name(fabric_, stuck.exit), fabric_.name(fabric_.to(stuck.exit)));
}

std::optional<std::string> Judgement::circle() {
  resolve();
  if (cases_.empty()) return std::nullopt;
  std::vector<const Case*> path;
  std::unordered_map<WaitKey, std::size_t> place;
  WaitKey at = cases_.begin()->first;
  for (; !place.contains(at); at = cases_.at(at).blockers.front()) {
    place[at] = path.size();
    path.push_back(&cases_.at(at));
  }
  std::string out = fmt::format(
      "{} of {} packets in nodes can never move; these wait for each other:", cases_.size(), all_);
  for (std::size_t i = place[at]; i < path.size(); ++i) out += "\n  " + told(*path[i]);
  return out;
}

}  // namespace

std::optional<std::string> find_deadlock(const Machine& machine, const Parts& parts,
                                         const Exchange* exchange) {
  const bool crosses = std::any_of(parts.begin(), parts.end(), [](const auto& part) {
    const auto& bags = part->clock.wheels.releases.bags();
    return std::any_of(bags.begin(), bags.end(), [](const auto& bag) { return !bag.empty(); });
  });
  // packets as the unit: something is crossing; ask again later
  if (sum_of(exchange, crosses) > 0) return std::nullopt;
  const WaitGraph graph(machine, parts, exchange == nullptr);
  return Judgement(graph, machine.setting.fabric, exchange, machine.state.layout).circle();
}

}  // namespace banyan::flit
