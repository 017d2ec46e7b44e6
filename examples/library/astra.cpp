// Drives the adapter as a simulator of training does: a ring all-reduce, where each rank computes for a
// microsecond, sends its piece to the next rank and receives one from the rank before, 2 (n - 1) times.
#include "astra.hpp"

#include <cstdio>

namespace {

constexpr std::uint64_t piece = 1 << 20;

struct RankState {
  adapter::NetworkApi api;
  int step = 0, left = 0;  // what it waits for in this step: its send and its receive
};

void begin(void* argument);

void one_is_done(void* argument) {
  auto& rank = *static_cast<RankState*>(argument);
  if (--rank.left > 0) return;
  if (++rank.step < 2 * (rank.api.sim_comm_size() - 1)) rank.api.sim_schedule(1000, begin, argument);
}

void begin(void* argument) {
  auto& rank = *static_cast<RankState*>(argument);
  const int n = rank.api.sim_comm_size(), me = rank.api.sim_comm_get_rank();
  rank.left = 2;
  rank.api.sim_send(nullptr, piece, 0, (me + 1) % n, rank.step, nullptr, one_is_done, argument);
  rank.api.sim_recv(nullptr, piece, 0, (me + n - 1) % n, rank.step, nullptr, one_is_done, argument);
}

}  // namespace

int main() try {
  banyan_fabric* fabric = nullptr;
  banyan_routing* routing = nullptr;
  if (banyan_fabric_open("4-ary 2-tree", nullptr, &fabric) ||
      banyan_route(fabric, "dmodk", nullptr, &routing))
    throw std::runtime_error(banyan_error());
  const char* const options[] = {"link", "400G", nullptr};
  {
    adapter::Simulation simulation(routing, options);
    std::vector<RankState> ranks;
    ranks.reserve(16);
    for (int i = 0; i < 16; ++i) ranks.push_back({adapter::NetworkApi(simulation, i, 16)});
    for (RankState& rank : ranks) rank.api.sim_schedule(1000, begin, &rank);
    simulation.run();
    for (const RankState& rank : ranks)
      if (rank.step != 30) throw std::runtime_error("a rank is not done");
    std::printf("%.3f us\n", simulation.now() / 1000);
  }
  banyan_routing_free(routing);
  banyan_fabric_free(fabric);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
