// While packets move, the simulator allocates next to nothing: every call of operator new in this program is
// counted. Not with assertions, which count credits after every cycle, in lists; sanitizers keep their own
// operators.
#ifdef NDEBUG
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "flit/simulation.hpp"
#include "support/routed.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

std::atomic<u64> allocations{0};

void* counted_memory(void* memory) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace banyan::tests

// Out of line: where only one of a pair is inlined, g++ takes new and free for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return banyan::tests::counted_memory(std::malloc(size > 0 ? size : 1));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return banyan::tests::counted_memory(std::aligned_alloc(step, (size + step - 1) / step * step));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace banyan::tests {
namespace {

struct Moving {
  const char *fabric, *engine;
  const char* allocator = "joint";
  MessageOptions messages{.load = 0.3};
};

// Lists of what is due in a cycle still grow now and then, when more is due than ever before: less than once
// for a thousand hops.
void expect_no_allocations(const Moving& moving, FlowControl flow_control, u32 packet_flits) {
  const Topology topology = make_topology(moving.fabric);
  const Routing routing = routed(topology, moving.engine);
  NetworkOptions network;
  network.lanes = routing.lanes;
  network.flow_control = flow_control;
  network.allocator = moving.allocator;
  MessageOptions messages = moving.messages;
  messages.packet_flits = packet_flits;
  const u32 hosts = topology.fabric.hosts();
  const u64 before_it = allocations;
  Simulation simulation({topology.fabric, routing, network, messages},
                        Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                       place_linearly(hosts), messages, 1));
  EXPECT_GT(allocations, before_it);
  simulation.advance(3000);
  simulation.take_tally();
  const u64 before = allocations;
  simulation.advance(3000);
  const u64 made = allocations - before, hops = simulation.take_tally().flit_hops;
  EXPECT_GT(hops, 20000u);
  EXPECT_LT(1000 * made, hops) << moving.fabric << ", " << moving.engine << ", " << moving.allocator
                               << ", packets of " << packet_flits << ", replies of " << messages.reply_flits;
}

void expect_no_allocations(const Moving& moving) {
  for (const FlowControl flow_control : {FlowControl::wormhole, FlowControl::vct})
    for (const u32 packet_flits : {1u, 4u}) expect_no_allocations(moving, flow_control, packet_flits);
}

TEST(Simulation, NothingIsAllocatedWhilePacketsMove) {
  for (const Moving& moving :
       {Moving{"4-ary 3-tree", "dmodk"}, Moving{"4-ary 3-tree", "minhop"}, Moving{"4-ary 3-tree", "ecmp"},
        Moving{"4-ary 3-tree", "adaptive"}, Moving{"HyperX(4x4; hosts=4)", "dor"},
        Moving{"HyperX(4x4; hosts=4)", "dal"}, Moving{"HyperX(4x4; hosts=4)", "ugal"},
        Moving{"HyperX(4x4; hosts=4)", "surepath"}, Moving{"Torus(6x6)", "dor"},
        Moving{"Torus(6x6)", "minadaptive"}, Moving{"Torus(6x6)", "valiant"},
        Moving{"Dragonfly(2,4,2)", "minhop"}, Moving{"Dragonfly(2,4,2)", "ugal"}})
    expect_no_allocations(moving);
}

TEST(Simulation, NothingIsAllocatedWhilePacketsCrossSwitchesInStages) {
  for (const char* allocator : {"input-first", "islip:iterations=2", "wavefront"}) {
    expect_no_allocations({"4-ary 3-tree", "dmodk", allocator});
    expect_no_allocations({"HyperX(4x4; hosts=4)", "ugal", allocator});
  }
}

TEST(Simulation, NothingIsAllocatedWhileRequestsAreAnswered) {
  for (const char* allocator : {"joint", "islip"})
    for (const u32 max_requests : {0u, 4u}) {
      const MessageOptions messages{.load = 0.3, .reply_flits = 4, .max_requests = max_requests};
      expect_no_allocations({"4-ary 3-tree", "dmodk", allocator, messages});
      expect_no_allocations({"Torus(6x6)", "dor", allocator, messages});
    }
}

}  // namespace
}  // namespace banyan::tests
#endif
