// An adapter: Banyan behind the calls that ASTRA-sim and its kin make of a network. Each rank has a front end of its own, which
// implements AstraSim::AstraNetworkAPI; all share one network and its clock. Include the simulator's own AstraNetworkAPI.hh first.
//
// Time. ASTRA-sim files its events by whole nanoseconds and looks them up by the time that it is told, so that every handler runs
// at a whole nanosecond: what arrives between two of them is told at the second.
// Messages. A receive is matched with the first message of the same source, destination, tag and size that has arrived and was
// not received, or waits for it. A send is over when its message has arrived; its handler runs before that of the receive. A
// receive that comes after its message is told in an event of its own, at the same time.
#pragma once
#include <banyan/banyan.hpp>

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace adapter {

using Handler = void (*)(void* argument);
using Nanoseconds = std::uint64_t;

// What all ranks share. Request is what the simulator says of a message besides; matched(request, argument of the receive) is
// called before the handler of the receive is, for simulators that hand something of it on.
template <class Request>
class Simulation {
 public:
  using Matched = void (*)(const Request& sent, void* receive_argument);

  explicit Simulation(const banyan::Routing& routing, const banyan::Options& options = {}, Matched matched = nullptr)
      : network_(routing, options, [this](const banyan_arrival& arrival) { arrived(arrival.tag); }), matched_(matched) {}
  Simulation(const Simulation&) = delete;  // the network calls it
  Simulation& operator=(const Simulation&) = delete;

  void run() { network_.advance(std::numeric_limits<double>::infinity()); }  // until nothing is left to happen
  Nanoseconds now() const { return now_; }
  std::size_t under_way() const { return sent_.size(); }  // messages that have not arrived

  void schedule(Nanoseconds delay, Handler handler, void* argument) { at(now_ + delay, {handler, argument}); }
  void send(int from, int to, std::uint64_t bytes, int tag, const Request& request, Handler handler, void* argument) {
    network_.send(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), bytes, number_);
    sent_.emplace(number_++, Sent{{from, to, tag, bytes}, request, {handler, argument}});
  }
  void receive(int from, int to, std::uint64_t bytes, int tag, Handler handler, void* argument) {
    const Match match{from, to, tag, bytes};
    const auto found = there_.find(match);
    if (found == there_.end()) {
      waiting_[match].push_back({handler, argument});
      return;
    }
    if (matched_) matched_(found->second.front(), argument);
    pop(there_, found);
    schedule(0, handler, argument);
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
    Request request;
    Call call;
  };

  void at(Nanoseconds time, Call call) {
    network_.schedule(1e-9 * static_cast<double>(time), [this, time, call] {
      now_ = time;
      call();
    });
  }
  // Told at the next whole nanosecond.
  void arrived(std::uint64_t number) {
    auto time = static_cast<Nanoseconds>(std::ceil(network_.now() * 1e9));
    while (1e-9 * static_cast<double>(time) < network_.now()) ++time;  // the product was rounded
    network_.schedule(1e-9 * static_cast<double>(time), [this, time, number] {
      now_ = time;
      tell(number);
    });
  }
  void tell(std::uint64_t number) {
    const auto found = sent_.find(number);
    const Sent sent = std::move(found->second);
    sent_.erase(found);
    sent.call();
    const auto waiting = waiting_.find(sent.match);
    if (waiting == waiting_.end()) {
      there_[sent.match].push_back(sent.request);
      return;
    }
    const Call call = waiting->second.front();
    pop(waiting_, waiting);
    if (matched_) matched_(sent.request, call.argument);
    call();
  }
  // Queues that are empty take no memory: tags are new for every message.
  template <class Queues>
  static void pop(Queues& queues, typename Queues::iterator at) {
    at->second.pop_front();
    if (at->second.empty()) queues.erase(at);
  }

  banyan::Network network_;
  Matched matched_;
  Nanoseconds now_ = 0;
  std::uint64_t number_ = 0;  // of the next message
  std::map<std::uint64_t, Sent> sent_;
  std::map<Match, std::deque<Call>> waiting_;
  std::map<Match, std::deque<Request>> there_;  // that nobody has received yet
};

// The calls of one rank.
class NetworkApi : public AstraSim::AstraNetworkAPI {
 public:
  using Shared = Simulation<AstraSim::sim_request>;
  NetworkApi(Shared& shared, int rank) : AstraSim::AstraNetworkAPI(rank), shared_(shared) {}

  AstraSim::timespec_t sim_get_time() override {
    AstraSim::timespec_t out{};
    out.time_res = AstraSim::NS;
    out.time_val = static_cast<double>(shared_.now());
    return out;
  }
  void sim_schedule(AstraSim::timespec_t delta, void (*handler)(void*), void* argument) override {
    if (delta.time_res != AstraSim::NS || !(delta.time_val >= 0))
      throw std::invalid_argument("sim_schedule: expected a delay in nanoseconds");
    shared_.schedule(static_cast<Nanoseconds>(delta.time_val), handler, argument);
  }
  int sim_send(void*, std::uint64_t bytes, int, int to, int tag, AstraSim::sim_request* request, void (*handler)(void*),
               void* argument) override {
    shared_.send(sim_comm_get_rank(), to, bytes, tag, request ? *request : AstraSim::sim_request{}, handler, argument);
    return 0;
  }
  int sim_recv(void*, std::uint64_t bytes, int, int from, int tag, AstraSim::sim_request*, void (*handler)(void*),
               void* argument) override {
    shared_.receive(from, sim_comm_get_rank(), bytes, tag, handler, argument);
    return 0;
  }

 private:
  Shared& shared_;
};

}  // namespace adapter
