// QsNET: the network of chunks against single flits, on small trees with contention, broadcasts and slow
// receivers; every circuit is released.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/engine.hpp"
#include "qsnet/network.hpp"
#include "support/plain_circuits.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

using namespace qsnet;

constexpr Time cycle = 5000;

// The requests through the network of chunks.
class Chunked {
 public:
  Chunked(const Routes& routes, CircuitCycles cycles, std::vector<CircuitRequest> requests)
      : requests_(std::move(requests)),
        network_(routes,
                 {cycle, cycles.wire * cycle, cycles.hop * cycle, cycles.ageing * cycle, cycles.lane_flits},
                 agenda_),
        outcomes_(requests_.size()) {}

  void run() {
    for (u32 i = 0; i < requests_.size(); ++i) {
      queues_[{requests_[i].nic, requests_[i].lane}].push_back(i);
      agenda_.add(requests_[i].at * cycle, Kind::engine, i);
    }
    while (!agenda_.empty()) handle(agenda_.pop());
  }
  const std::vector<CircuitOutcome>& outcomes() const { return outcomes_; }
  const Network& network() const { return network_; }

 private:
  void handle(const Event& event) {
    const u32 i = event.subject();
    switch (event.kind()) {
      case Kind::engine:
        return open(requests_[i].nic, requests_[i].lane);
      case Kind::answered: {
        const u32 request = network_.packet(i).cookie;
        outcomes_[request].answered = agenda_.now() / cycle;
        network_.close(i);
        return agenda_.add(agenda_.now(), Kind::engine, request);
      }
      case Kind::arrived: {
        const u32 request = network_.packet(network_.segment(i).packet).cookie;
        outcomes_[request].arrivals[network_.nic_of(i)].push_back(agenda_.now() / cycle);
        return agenda_.add(agenda_.now() + requests_[request].take * cycle, Kind::card_done, i);
      }
      case Kind::card_done: {
        const CircuitRequest& request = requests_[network_.packet(network_.segment(i).packet).cookie];
        network_.consume(i);
        if (++taken_[i] < request.chunks) return;
        taken_.erase(i);
        return agenda_.add(agenda_.now() + request.think * cycle, Kind::microcode_done, i);
      }
      case Kind::microcode_done:
        return network_.answer(i, true);
      default:
        network_.handle(event);
    }
  }

  void open(u32 nic, u32 lane) {
    auto& queue = queues_[{nic, lane}];
    if (queue.empty() || requests_[queue.front()].at * cycle > agenda_.now() ||
        !network_.lane_free(nic, lane))
      return;
    const CircuitRequest& r = requests_[queue.front()];
    Packet packet;
    packet.cookie = queue.front();
    packet.chunks = static_cast<u8>(r.chunks);
    packet.high = r.high;
    packet.head_flits = static_cast<u16>(r.head_flits);
    packet.chunk_flits = static_cast<u16>(r.chunk_flits);
    packet.route = r.route;
    queue.pop_front();
    const u32 i = network_.open(nic, lane, packet);
    for (u32 k = 0; k < r.chunks; ++k) network_.offer(i);
  }

  std::vector<CircuitRequest> requests_;
  Agenda agenda_;
  Network network_;
  std::vector<CircuitOutcome> outcomes_;
  std::map<std::pair<u32, u32>, std::deque<u32>> queues_;
  std::map<u32, u32> taken_;
};

Topology small_tree() {
  const char* trees[] = {"2-ary 2-tree", "2-ary 3-tree", "3-ary 2-tree", "XGFT(2; 3,2; 1,2)", "4-ary 1-tree"};
  return make_topology(trees[draw(0, 4)]);
}

std::vector<CircuitRequest> random_requests(const Routes& routes, u32 hosts) {
  std::vector<CircuitRequest> out;
  const u32 count = draw(1, 30), span = draw(1, 2000), hot = draw(0, 2);
  for (u32 i = 0; i < count; ++i) {
    CircuitRequest r;
    r.at = draw(0, span);
    r.nic = draw(0, hosts - 1);
    r.lane = draw(0, 1);
    r.chunks = draw(1, 5);
    r.head_flits = draw(0, 1) == 0 ? 9 : 41;
    r.chunk_flits = draw(0, 3) == 0 ? draw(1, 60) : 37;
    r.high = draw(0, 3) == 0;
    r.take = draw(0, 2) == 0 ? draw(0, 300) : 0;
    r.think = draw(0, 60);
    if (draw(0, 5) == 0) {
      const u32 a = draw(0, hosts - 1), b = draw(0, hosts - 1);
      r.route = routes.broadcast(r.nic, std::min(a, b), std::max(a, b));
    } else {
      r.route = routes.unicast(r.nic, hot == 0 ? 0 : draw(0, hosts - 1));
    }
    out.push_back(r);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return out;
}

RC_GTEST_PROP(Qsnet, ChunksMoveAsSingleFlitsWould, ()) {
  const Topology t = small_tree();
  const Routing routing = std::get<Routing>(route(t, draw(0, 2) == 0 ? "dmodk" : "adaptive"));
  const Routes routes(t, routing);
  const CircuitCycles cycles{
      .wire = draw(1, 4), .hop = 4 + draw(1, 8), .ageing = draw(0, 400), .lane_flits = draw(60, 200)};
  const auto requests = random_requests(routes, t.fabric.hosts());
  Chunked fast(routes, cycles, requests);
  fast.run();
  PlainCircuits slow(routes, cycles, requests);
  RC_ASSERT(slow.run(200'000));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RC_ASSERT(fast.outcomes()[i].answered == slow.outcomes()[i].answered);
    RC_ASSERT(fast.outcomes()[i].arrivals == slow.outcomes()[i].arrivals);
  }
  RC_ASSERT(fast.network().held() == 0u);
  RC_ASSERT(fast.network().waiting() == 0u);
}

}  // namespace
}  // namespace banyan::tests
