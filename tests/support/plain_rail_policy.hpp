// The rail policies of docs/rails.md as plainly as they can be written, from Algorithms 1 to 5 of Coll et al.
// (2001) and not from Tables 1 and 2: sets of rails, statuses with a flag, orders given as they come to mind.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "flit/rails/host.hpp"

namespace banyan::tests {

using RailSet = std::set<u32>;

struct PlainRails {  // that a stripe leaves on, and arrives on
  u32 out, in;
};

// What a policy may have its host do, and what it may ask.
struct PlainOrders {
  std::function<void(PlainRails rails, u32 process, u32 flits, bool is_reserved)> send;
  std::function<void(u32 rail, Host to, u32 to_rail, ControlKind kind, int priority)> control;
  std::function<void(u32 process, u64 asking)> timer;
  std::function<void(u32 process)> done;
  std::function<std::vector<u32>(Host host)> nics;  // the rails of its NICs, in order of slots
  std::function<bool(Host host, u32 rail)> is_alive;
  std::function<bool(u32 rail, Host to, u32 to_rail)> reaches;  // both are alive, and in one plane
};

struct PlainPolicy {
  // `text`: NAME or NAME:VALUE, as on the command line.
  static std::unique_ptr<PlainPolicy> make(const std::string& text, Host self, u32 rails, u32 processes,
                                           double stripe, PlainOrders orders);
  PlainPolicy(Host the_self, u32 the_rails, u32 process_count, double the_stripe, PlainOrders the_orders)
      : self(the_self), rails(the_rails), stripe(the_stripe), orders(std::move(the_orders)) {
    wishes.resize(process_count);
  }
  virtual ~PlainPolicy() = default;

  bool is_idle(u32 process) const { return !wishes[process].is_open; }
  void post(u32 process, Host to, u32 to_process, u32 flits, u64 bytes);

  virtual void posted(u32 process) = 0;
  virtual void control(u32, Host, u32, ControlKind, int) {}
  virtual void sent(u32, bool) {}
  virtual void arriving(u32) {}
  virtual void received(u32, bool) {}
  virtual void expired(u32, u64) {}
  virtual void died(u32) {}

 protected:
  struct Wish {  // the message that a process finds rails for
    bool is_open = false, waits = false;
    u64 id = 0, asking = 0;
    Host to{};
    u32 to_process = 0, flits = 0;
    u64 bytes = 0;
    RailSet missing, granted;  // replies
  };

  RailSet usable(Host to) const;           // rails that are alive at both ends, or else lead there
  u32 other_end(u32 rail, Host to) const;  // where one of these arrives
  std::vector<u32> from_own(Host host, u32 process) const;  // live rails, from that of its own NIC on
  static u64 stripes(u64 available, u32 flits, double ratio);
  RailSet select(const RailSet& available, u32 flits, double ratio);  // Select_Tx_NICs
  void send(u32 process, const std::vector<PlainRails>& chosen, bool is_reserved);
  void send(u32 process, const RailSet& chosen, bool is_reserved);
  template <class F>
  void in_turn(F&& attempt);  // processes that want a rail and do not wait for replies

  const Host self;
  const u32 rails;
  const double stripe;
  const PlainOrders orders;
  std::vector<Wish> wishes;  // by process
  u32 next_rail = 0;         // just past the last one allocated
  u32 next_process = 0;
  u64 ids = 0;
};

}  // namespace banyan::tests
