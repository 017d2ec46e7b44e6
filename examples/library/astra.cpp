// Drives the adapter as ASTRA-sim does. Ranks know the network by AstraSim::AstraNetworkAPI alone. Each files its events by the
// nanosecond in which they are due and asks for one call for each nanosecond; what it finds is what it filed under the time that
// the network tells. The work is a ring all-reduce: each rank computes, sends its piece to the next rank and receives one from the
// rank before, 2 (n - 1) times; once with receives that wait for their message, once where odd ranks are late and their message
// waits. Prints when each is over.
#include "astra_api.hpp"

#include "astra.hpp"

#include <cstdio>
#include <functional>
#include <vector>

namespace {

constexpr std::uint64_t piece = 1 << 20;
constexpr std::uint64_t computing = 1000, late = 40'000;  // nanoseconds

// Counts what the adapter handed on from a send to its receive.
int handed_on = 0;

class Rank {
 public:
  Rank(AstraSim::AstraNetworkAPI& api, int ranks, bool is_late) : api_(api), ranks_(ranks), is_late_(is_late) {}

  void begin() { after(computing, [this] { exchange(); }); }
  bool is_done() const { return step_ == 2 * (ranks_ - 1) && events_.empty(); }

 private:
  using Event = std::function<void()>;
  struct Due {
    Rank* rank;
    int source;
  };

  std::uint64_t tick() const { return static_cast<std::uint64_t>(api_.sim_get_time().time_val); }

  void after(std::uint64_t ticks, Event event) {
    std::vector<Event>& due = events_[tick() + ticks];
    due.push_back(std::move(event));
    if (due.size() == 1) api_.sim_schedule({AstraSim::NS, static_cast<long double>(ticks)}, call_events, this);
  }
  static void call_events(void* argument) {
    Rank& rank = *static_cast<Rank*>(argument);
    const auto due = rank.events_.find(rank.tick());
    if (due == rank.events_.end()) throw std::logic_error("a call at a time for which nothing was filed");
    const std::vector<Event> events = std::move(due->second);
    rank.events_.erase(due);
    for (const Event& event : events) event();
  }

  void exchange() {
    const int me = api_.sim_comm_get_rank(), next = (me + 1) % ranks_;
    left_ = 2;
    AstraSim::sim_request request{};
    request.srcRank = static_cast<std::uint32_t>(me);
    api_.sim_send(nullptr, piece, 0, next, step_, &request, one_is_done, this);
    if (is_late_)
      after(late, [this] { receive(); });
    else
      receive();
  }
  void receive() {
    due_ = {this, (api_.sim_comm_get_rank() + ranks_ - 1) % ranks_};
    api_.sim_recv(nullptr, piece, 0, due_.source, step_, nullptr, received, &due_);
  }
  static void received(void* argument) { one_is_done(static_cast<Due*>(argument)->rank); }
  static void one_is_done(void* argument) {
    Rank& rank = *static_cast<Rank*>(argument);
    if (--rank.left_ > 0) return;
    if (++rank.step_ < 2 * (rank.ranks_ - 1)) rank.begin();
  }

  AstraSim::AstraNetworkAPI& api_;
  int ranks_, step_ = 0, left_ = 0;  // left: what it waits for in this step, its send and its receive
  bool is_late_;
  Due due_{};
  std::map<std::uint64_t, std::vector<Event>> events_;

 public:
  static void hand_on(const AstraSim::sim_request& sent, void* argument) {
    if (static_cast<int>(sent.srcRank) != static_cast<Due*>(argument)->source)
      throw std::logic_error("a receive was given another rank's message");
    ++handed_on;
  }
};

std::uint64_t all_reduce(const banyan::Routing& routing, int ranks, bool are_late) {
  adapter::NetworkApi::Shared shared(routing, {{"link", "400G"}}, Rank::hand_on);
  std::vector<adapter::NetworkApi> apis;
  std::vector<Rank> all;
  apis.reserve(static_cast<std::size_t>(ranks));
  for (int i = 0; i < ranks; ++i) apis.emplace_back(shared, i);
  for (int i = 0; i < ranks; ++i) all.emplace_back(apis[static_cast<std::size_t>(i)], ranks, are_late && i % 2 == 1);
  for (Rank& rank : all) rank.begin();
  shared.run();
  for (const Rank& rank : all)
    if (!rank.is_done()) throw std::runtime_error("a rank is not done");
  if (std::exchange(handed_on, 0) != ranks * 2 * (ranks - 1) || shared.under_way() != 0)
    throw std::runtime_error("a message was lost");
  return shared.now();
}

}  // namespace

int main() try {
  const banyan::Routing routing(banyan::Fabric("4-ary 2-tree"), "dmodk");
  for (const bool are_late : {false, true})
    std::printf("%llu ns\n", static_cast<unsigned long long>(all_reduce(routing, 16, are_late)));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
