// A fabric in time: advances cycle by cycle and counts. The model is that of docs/simulator.md.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "flit/exchange.hpp"
#include "flit/options.hpp"
#include "flit/rails/options.hpp"
#include "flit/tally.hpp"
#include "flit/workload.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::flit {

enum class Granularity : u8 { automatic, flits, packets };  // automatic: packets where that is exact
constexpr std::array<std::string_view, 3> option_names(Granularity) {
  return {"automatic", "flits", "packets"};
}

struct SimulationSetup {
  const Fabric& fabric;
  const Routing& routing;
  NetworkOptions network;
  MessageOptions messages;  // packet sizes
  u64 seed = 1;
  unsigned threads = 1;
  Granularity granularity = Granularity::automatic;
  std::optional<RailOptions> rails = {};  // hosts with several NICs, or several processes
  // To the other processes that simulate the same, each its share of the fabric; null: there is none. They
  // all make the same calls.
  const Exchange* exchange = nullptr;
  // Channels from which on memory is asked for ahead (ahead.hpp): the state has some MB then. Results are the
  // same.
  u32 large_fabric = 8192;
  // Channels of switches that act together (Layout::blocks), about: what a cycle touches of them fits a
  // cache. Results are the same.
  u32 block_channels = 512;
};

// What this process simulates of the fabric: these NICs (with setup.rails: these processes of hosts, as a
// Workload numbers them), and the channels that leave its nodes, in order.
std::vector<bool> own_nics(const SimulationSetup& setup);
std::vector<Channel> own_channels(const SimulationSetup& setup);

// Throws InputError for options that cannot be: packets that fit no buffer, lanes that the routing needs.
void check_setup(const SimulationSetup& setup);

// Why packets cannot be the unit; empty if they can.
std::string needs_flits(const SimulationSetup& setup, const Workload& workload);

class Simulation {
 public:
  Simulation(const SimulationSetup& setup,
             Workload workload);  // throws InputError for options that cannot be
  ~Simulation();

  void advance(u64 cycles);
  u64 now() const;
  // What was counted since the last call, by all processes; channel_flits only those of
  // own_channels(), in their order.
  Tally take_tally();
  bool is_done() const;  // a workload that ends has ended, and nothing is inside
  double program_end();  // of a program that is done: the cycle in which its last operation ends
  u64 flits_inside() const;
  u64 stripes_remembered() const;   // because the rail they were sent on will die
  double created_flits() const;     // by a workload that does not end
  Granularity granularity() const;  // which one runs
  // A host with one NIC whose next flit has to wait: the cycle in which that flit's message was created.
  // Of another process, or without such a flit: nothing.
  std::optional<u64> waits_since(Nic nic) const;
  // Packets that wait for each other for ever, in words; looks at everything.
  std::optional<std::string> deadlock() const;
  std::string lost_credit() const;  // where credits are not conserved; empty, or the engine is wrong

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace banyan::flit
