// An adapter: Banyan behind the calls that ASTRA-sim, SimAI and their kin make of a network. Each rank has a
// front end of its own; all share one network and its clock. Times are in nanoseconds.
//
// A receive is matched with the message of the same source, destination, tag and size that arrived first, or
// waits for it. A send is over when its message has arrived.
#pragma once
#include <banyan/banyan.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace adapter {

using Handler = void (*)(void* argument);

// What all ranks share.
class Simulation {
 public:
  explicit Simulation(const banyan_routing* routing, const char* const* options = nullptr) {
    must(banyan_network_new(routing, options, on_arrival, this, &network_));
  }
  ~Simulation() { banyan_network_free(network_); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void run() { must(banyan_network_advance(network_, 1.0 / 0.0)); }  // until nothing is left to happen

  double now() const {
    double out = 0;
    must(banyan_network_now(network_, &out));
    return out * 1e9;
  }
  void schedule(double delay, Handler handler, void* argument) {
    must(banyan_network_schedule(network_, (now() + delay) * 1e-9, handler, argument));
  }
  void send(int from, int to, std::uint64_t bytes, int tag, Handler handler, void* argument) {
    sent_.push_back({Match{from, to, tag, bytes}, handler, argument});
    must(banyan_network_send(network_, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
                             bytes, sent_.size() - 1));
  }
  void receive(int from, int to, std::uint64_t bytes, int tag, Handler handler, void* argument) {
    const Match match{from, to, tag, bytes};
    if (auto& arrived = arrived_[match]; arrived > 0)
      --arrived, schedule(0, handler, argument);
    else
      waiting_[match].push_back({handler, argument});
  }

 private:
  using Match = std::tuple<int, int, int, std::uint64_t>;  // source, destination, tag, bytes
  struct Call {
    Handler handler;
    void* argument;
    void operator()() const {
      if (handler) handler(argument);
    }
  };
  struct Sent {
    Match match;
    Handler handler;
    void* argument;
  };

  static void must(banyan_status status) {
    if (status != BANYAN_OK) throw std::runtime_error(banyan_error());
  }
  static void on_arrival(void* context, const banyan_arrival* arrival) {
    auto& self = *static_cast<Simulation*>(context);
    const Sent sent = self.sent_[arrival->tag];
    Call{sent.handler, sent.argument}();
    auto& waiting = self.waiting_[sent.match];
    if (waiting.empty()) {
      ++self.arrived_[sent.match];
      return;
    }
    const Call call = waiting.front();
    waiting.pop_front();
    call();
  }

  banyan_network* network_ = nullptr;
  std::vector<Sent> sent_;  // by tag of the network's message
  std::map<Match, std::deque<Call>> waiting_;
  std::map<Match, std::uint64_t> arrived_;  // that nobody has received yet
};

// The calls of one rank.
class NetworkApi {
 public:
  NetworkApi(Simulation& simulation, int rank, int ranks)
      : simulation_(simulation), rank_(rank), ranks_(ranks) {}

  int sim_comm_get_rank() const { return rank_; }
  int sim_comm_size() const { return ranks_; }
  double sim_get_time() const { return simulation_.now(); }
  void sim_schedule(double delay, Handler handler, void* argument) {
    simulation_.schedule(delay, handler, argument);
  }
  int sim_send(void*, std::uint64_t bytes, int, int to, int tag, void*, Handler handler, void* argument) {
    simulation_.send(rank_, to, bytes, tag, handler, argument);
    return 0;
  }
  int sim_recv(void*, std::uint64_t bytes, int, int from, int tag, void*, Handler handler, void* argument) {
    simulation_.receive(from, rank_, bytes, tag, handler, argument);
    return 0;
  }
  int sim_finish() const { return 0; }

 private:
  Simulation& simulation_;
  int rank_, ranks_;
};

}  // namespace adapter
