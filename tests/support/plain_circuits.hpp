// Elites flit by flit, cycle by cycle, with nothing clever: what the network of src/qsnet is compared with
// against. A cycle is the time of a flit; every latency is a whole number of cycles.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include "qsnet/routes.hpp"

namespace banyan::tests {

// A packet that a test sends, and how its receivers treat it; times in cycles.
struct CircuitRequest {
  u64 at = 0;  // it may open, behind earlier requests of its NIC and lane
  u32 nic = 0, lane = 0, chunks = 1, head_flits = 9, chunk_flits = 37;
  bool high = false;
  qsnet::Route route;
  u64 take = 0, think = 0;  // from arrival until a chunk is out of the FIFO; from the last one to the answer
};

struct CircuitOutcome {
  u64 answered = 0;
  std::map<u32, std::vector<u64>> arrivals;  // by NIC: when each chunk had arrived
  bool operator==(const CircuitOutcome&) const = default;
};

struct CircuitCycles {
  u64 wire = 3, hop = 10, ageing = 2000;
  u32 lane_flits = 128;
};

class PlainCircuits {
 public:
  PlainCircuits(const qsnet::Routes& routes, CircuitCycles cycles, std::vector<CircuitRequest> requests)
      : routes_(routes), fabric_(routes.topology().fabric), cycles_(cycles), requests_(std::move(requests)) {}

  // Until every packet is closed; false if that takes more cycles than allowed.
  bool run(u64 max_cycles) {
    outcomes_.resize(requests_.size());
    for (u32 i = 0; i < requests_.size(); ++i) queues_[{requests_[i].nic, requests_[i].lane}].push_back(i);
    for (now_ = 0; now_ < max_cycles; ++now_) {
      while (!due_.empty() && due_.begin()->first == now_) {
        const auto actions = std::move(due_.begin()->second);
        due_.erase(due_.begin());
        for (const auto& action : actions) action();
      }
      open_packets();
      for (Node node : fabric_.switch_nodes()) arbitrate(index(node));
      for (Channel c : fabric_.channels()) move_flit(index(c));
      if (closed_ == requests_.size() && legs_in_use_ == 0) return true;
    }
    return false;
  }
  const std::vector<CircuitOutcome>& outcomes() const { return outcomes_; }

 private:
  struct Flit {
    u32 chunk, position;
    u64 ready;  // may leave the node from then on
  };
  struct Leg {  // a link and lane held by a packet, and the flits of the FIFO at its end
    u32 packet = 0, channel = 0, lane = 0, hop = 0;
    Leg* parent = nullptr;
    std::vector<Leg*> children;
    std::vector<Flit> flits;  // everything that came, in order; branches count what they have sent
    u32 sent = 0;             // flits sent over this leg's link
    u32 left = 0;             // chunks that have left over it
    u32 answers = 0;
    u64 since = 0;
    bool waits = false;
  };
  struct Lane {
    Leg* holder = nullptr;
    u32 reserved = 0;  // flits of the FIFO at the end that are taken or promised
  };
  using Key = std::pair<u32, u32>;  // channel and lane

  u32 flits_of(u32 packet, u32 chunk) const {
    return chunk == 0 ? requests_[packet].head_flits : requests_[packet].chunk_flits;
  }
  template <class F>
  void later(u64 cycles, F action) {
    due_[now_ + cycles].push_back(action);
  }
  u32 free_lanes(u32 channel) { return !lanes_[{channel, 0}].holder + !lanes_[{channel, 1}].holder; }

  Leg* take(u32 packet, u32 channel, u32 lane, Leg* parent) {
    legs_.emplace_back();
    Leg* leg = &legs_.back();
    leg->packet = packet, leg->channel = channel, leg->lane = lane, leg->parent = parent;
    if (parent) leg->hop = parent->hop + 1, parent->children.push_back(leg);
    lanes_[{channel, lane}].holder = leg;
    ++legs_in_use_;
    return leg;
  }

  void open_packets() {
    for (auto& [key, queue] : queues_) {
      const u32 channel = index(fabric_.channel(Node{key.first}, Port{0}));
      if (queue.empty() || requests_[queue.front()].at > now_ || lanes_[{channel, key.second}].holder)
        continue;
      take(queue.front(), channel, key.second, nullptr);
      queue.pop_front();
    }
  }

  // --- one flit over one link
  bool has_flit(const Leg& leg, u32 number, u32 chunk) const {
    if (!leg.parent) return chunk < requests_[leg.packet].chunks;
    return number < leg.parent->flits.size() && leg.parent->flits[number].ready <= now_;
  }
  static Key place(const std::vector<u32>& sizes, u32 number) {  // chunk and position of a packet's flit
    u32 chunk = 0;
    while (chunk < sizes.size() && number >= sizes[chunk]) number -= sizes[chunk++];
    return {chunk, number};
  }
  std::vector<u32> sizes(u32 packet) const {
    std::vector<u32> out;
    for (u32 k = 0; k < requests_[packet].chunks; ++k) out.push_back(flits_of(packet, k));
    return out;
  }

  void move_flit(u32 channel) {
    if (!current_.count(channel)) choose_lane(channel);
    if (!current_.count(channel)) return;
    Leg& leg = *current_[channel];
    const auto [chunk, position] = place(sizes(leg.packet), leg.sent);
    if (!has_flit(leg, leg.sent, chunk)) throw std::logic_error("a chunk has a gap");
    ++leg.sent;
    const bool last = position + 1 == flits_of(leg.packet, chunk);
    if (last) later(1, [this, &leg, channel, chunk = chunk] { chunk_left(leg, channel, chunk); });
    if (fabric_.is_switch(fabric_.to(Channel{channel}))) {
      leg.flits.push_back({chunk, position, now_ + cycles_.hop});
      if (leg.flits.size() == 1) later(cycles_.hop, [this, &leg] { leg.since = now_, leg.waits = true; });
    } else if (last) {
      later(1 + cycles_.wire, [this, &leg] { arrived(leg); });
    }
  }

  void choose_lane(u32 channel) {
    for (u32 i = 1; i <= 2; ++i) {
      const u32 lane = (last_lane_[channel] + i) % 2;
      Leg* leg = lanes_[{channel, lane}].holder;
      if (!leg) continue;
      const u32 chunk = place(sizes(leg->packet), leg->sent).first;
      if (chunk == requests_[leg->packet].chunks || !has_flit(*leg, leg->sent, chunk)) continue;
      const u32 flits = flits_of(leg->packet, chunk);
      if (lanes_[{channel, lane}].reserved + flits > cycles_.lane_flits) continue;
      lanes_[{channel, lane}].reserved += flits;
      last_lane_[channel] = lane;
      current_[channel] = leg;
      return;
    }
  }

  void chunk_left(Leg& leg, u32 channel, u32 chunk) {
    current_.erase(channel);
    ++leg.left;
    if (!leg.parent) return;
    for (const Leg* branch : leg.parent->children)
      if (branch->left <= chunk) return;
    give_room(*leg.parent, chunk);
  }
  void give_room(Leg& leg, u32 chunk) {
    later(cycles_.wire, [this, &leg, chunk] {
      lanes_[{leg.channel, leg.lane}].reserved -= flits_of(leg.packet, chunk);
    });
  }

  // --- receivers and answers
  void arrived(Leg& leg) {
    auto& times = outcomes_[leg.packet].arrivals[index(fabric_.to(Channel{leg.channel}))];
    const u32 chunk = static_cast<u32>(times.size());
    times.push_back(now_);
    const CircuitRequest& request = requests_[leg.packet];
    later(request.take, [this, &leg, chunk, &request] {
      give_room(leg, chunk);
      if (chunk + 1 == request.chunks)
        later(request.think, [this, &leg] { later(cycles_.wire, [this, &leg] { acknowledge(leg); }); });
    });
  }

  void acknowledge(Leg& leg) {
    if (!leg.parent) {
      outcomes_[leg.packet].answered = now_;
      ++closed_;
      return end(leg);
    }
    if (++leg.parent->answers == leg.parent->children.size())
      later(cycles_.hop, [this, parent = leg.parent] { acknowledge(*parent); });
  }

  void end(Leg& leg) {
    lanes_[{leg.channel, leg.lane}].holder = nullptr;
    --legs_in_use_;
    for (Leg* child : leg.children) later(cycles_.hop, [this, child] { end(*child); });
  }

  // --- who gets a link and lane
  void arbitrate(u32 node) {
    std::map<std::pair<u64, Key>, Leg*> waiting[2];
    for (Leg& leg : legs_)
      if (leg.waits && index(fabric_.to(Channel{leg.channel})) == node) {
        const bool urgent = requests_[leg.packet].high || now_ - leg.since >= cycles_.ageing;
        waiting[urgent ? 0 : 1][{leg.since, {leg.channel, leg.lane}}] = &leg;
      }
    for (const auto& group : waiting)
      for (const auto& [key, leg] : group) grant(*leg, node);
  }

  void grant(Leg& leg, u32 node) {
    const qsnet::Route& route = requests_[leg.packet].route;
    const qsnet::Tag tag =
        route.broadcast ? routes_.branches(route, node, leg.hop >= route.switches) : route.tags[leg.hop];
    std::vector<u32> ports, chosen;
    for (u32 p = 0; p < fabric_.ports(Node{node}); ++p)
      if (tag >> p & 1) ports.push_back(p);
    const auto free = [&](u32 p) { return free_lanes(index(fabric_.channel(Node{node}, Port{p}))); };
    if (route.broadcast) {
      for (u32 p : ports)
        if (free(p) == 0) return;
      chosen = ports;
    } else {
      u32 maximum = 0;
      for (u32 i = 0; i < 64; ++i) {
        const u32 p = (turn_[node] + i) % 64;
        if ((tag >> p & 1) && free(p) > maximum) chosen = {p}, maximum = free(p);
      }
      if (chosen.empty()) return;
      if (ports.size() > 1) turn_[node] = (chosen[0] + 1) % 64;
    }
    leg.waits = false;
    for (u32 p : chosen) {
      const u32 channel = index(fabric_.channel(Node{node}, Port{p}));
      take(leg.packet, channel, lanes_[{channel, 0}].holder ? 1 : 0, &leg);
    }
  }

  const qsnet::Routes& routes_;
  const Fabric& fabric_;
  CircuitCycles cycles_;
  std::vector<CircuitRequest> requests_;
  std::vector<CircuitOutcome> outcomes_;
  u64 now_ = 0;
  std::size_t closed_ = 0, legs_in_use_ = 0;
  std::map<u64, std::vector<std::function<void()>>> due_;
  std::map<Key, std::deque<u32>> queues_;
  std::deque<Leg> legs_;
  std::map<Key, Lane> lanes_;
  std::map<u32, Leg*> current_;  // by channel: whose chunk is under way
  std::map<u32, u32> last_lane_, turn_;
};

}  // namespace banyan::tests
