// A network that another simulator advances: messages are flows of a fluid (flow/fluid.hpp), and their ends
// are events on its clock. It adds a clock with events of the caller and the delays of messages. Messages
// that have arrived take no memory for long. No packets; docs/rates.md has the model.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "flow/fluid.hpp"
#include "library/questions.hpp"

namespace banyan::library {

struct FlowNetworkOptions {
  Speed link{50e9};
  Speed nic{};
  Duration overhead{}, switch_delay{};
  Length cable{};

  static void fields(auto& self, auto&& f) {
    f("link", self.link, "speed of a link of capacity 1: 400G (bits a second), or 50GB/s");
    f("nic", self.nic, "the most that a NIC sends, and receives; 0: as fast as its link");
    f("overhead", self.overhead, "time that a message costs sender and receiver together, such as 1.5us");
    f("switch-delay", self.switch_delay, "time that a message needs for each switch on its way");
    f("cable", self.cable, "length of every cable, such as 5m; a metre takes 5 ns");
  }
};

// Those of a network over this routing, by name; the speeds of a fabric that has them say what `link` is
// (ask/link_speed.hpp). Throws InputError.
FlowNetworkOptions network_options(const OpenRouting& routing, const Texts& texts);

// Times are in seconds, from 0. Everything happens in the order of time, and at one time in the order in
// which it was asked for.
class FlowNetwork {
 public:
  // `arrived` is called by advance() and may call send() and at().
  struct Arrival {
    u64 tag;
    u32 from, to;
    u64 bytes;
    double sent, time;
  };
  using Arrived = std::function<void(const Arrival&)>;
  FlowNetwork(RoutingPtr routing, const FlowNetworkOptions& options, Arrived arrived);
  FlowNetwork(const FlowNetwork&) = delete;  // its events point to it
  FlowNetwork& operator=(const FlowNetwork&) = delete;

  // A message leaves now. Where it shares a channel with others, it gets a rate in proportion to its weight.
  // Throws InputError for a host that does not exist, a pair without a route, or a weight that is not above
  // 0.
  void send(u32 from, u32 to, u64 bytes, u64 tag, double weight = 1);
  // Calls f at that time. Throws InputError for a time in the past.
  void at(double time, std::function<void()> f);
  // Runs all that happens until then, the end included. The clock then shows that time. Throws InputError for
  // a time in the past and where advance() itself calls this, and Interrupted; what is left then happens in
  // the next call.
  void advance(double until);
  // Asked by what advance() calls: it returns as soon as that has, and the clock stays.
  void stop() { is_stopped_ = true; }

  double now() const { return now_; }
  double next();                                        // the time of the next event; infinity: there is none
  u64 under_way() const { return flowing_ + flying_; }  // messages that have not arrived

 private:
  struct Message {
    Arrival arrival;
    double latency;
  };
  struct Key {
    double time;
    u64 number;
    auto operator<=>(const Key&) const = default;
  };

  struct Landing {
    Key key;
    Arrival arrival;
    bool operator>(const Landing& o) const { return key > o.key; }
  };

  void land_later(const Message& message, double left);  // its last byte left at that time
  void land();
  void forget_ended();
  Key first_event() const;  // of landings and of what the caller asked for; infinity: there is none

  RoutingPtr routing_;
  FlowNetworkOptions options_;
  Arrived arrived_;
  Fluid fluid_;
  std::vector<Message> messages_;                // by flow
  Incidence way_;                                // of the message that is sent
  std::map<Key, std::function<void()>> events_;  // of the caller
  std::vector<Landing> landings_;                // a heap, the first on top
  double now_ = 0;
  u64 number_ = 0, flowing_ = 0, flying_ = 0;
  bool is_stopped_ = false, is_advancing_ = false;
};

}  // namespace banyan::library
