// Routing: the result of an engine. The flow level, the judge, the simulator and the export ask it two
// questions and nothing else: in how many ways may a message start at its source (Source), and where may a
// header go at a node (Forward).
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "routing/address_choice.hpp"
#include "routing/forwards.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

// The source answers once per message: the number of ways, all of equal weight, and the i-th of them. Any
// value with these two members becomes a source; it is stored behind two function pointers, so that engines
// add no types here. It may also have
//   Reads reads() const;              default: every NIC counts
//   std::vector<u64> sizes() const;   one message size for each different choice; default: {0}
//   void ways(Nic from, Nic to, u64 bytes, std::vector<Header>& out) const;
//                                     appends all ways, faster than one by one
//   std::span<const Header> numbered() const;
//                                     where every pair has one way: all headers that messages may have,
//                                     but for their addresses; default: none are listed
//   void numbers(std::span<const Nic> from, std::span<const Nic> to, u64 bytes, u32* out) const;
//                                     with numbered(): the ways of all pairs, by their places in that list
//   u8 lane(Nic from, Address to) const;  also for an address that no message takes; default: way i has
//                                     the i-th address
//   const AddressChoice& choice() const;  where a table chooses among the addresses
class Source {
 public:
  template <class Ways>
  explicit Source(Ways ways)
      : reads_(reads_of(ways)),
        sizes_(sizes_of(ways)),
        ways_(std::make_shared<const Ways>(std::move(ways))),
        choice_(choice_of(*static_cast<const Ways*>(ways_.get()))),
        numbered_(numbered_of(*static_cast<const Ways*>(ways_.get()))),
        count_([](const void* w, Nic from, Nic to, u64 bytes) {
          return static_cast<const Ways*>(w)->count(from, to, bytes);
        }),
        way_([](const void* w, Nic from, Nic to, u64 bytes, u32 i) {
          return static_cast<const Ways*>(w)->way(from, to, bytes, i);
        }),
        all_([](const void* w, Nic from, Nic to, u64 bytes, std::vector<Header>& out) {
          append_ways(*static_cast<const Ways*>(w), from, to, bytes, out);
        }),
        numbers_([](const void* w, std::span<const Nic> from, std::span<const Nic> to, u64 bytes, u32* out) {
          write_numbers(*static_cast<const Ways*>(w), from, to, bytes, out);
        }),
        lane_([](const void* w, Nic from, Address to, u32 lmc) {
          return lane_in(*static_cast<const Ways*>(w), from, to, lmc);
        }) {}

  u32 count(Nic from, Nic to, u64 bytes) const { return count_(ways_.get(), from, to, bytes); }
  Header way(Nic from, Nic to, u64 bytes, u32 i) const { return way_(ways_.get(), from, to, bytes, i); }
  void ways(Nic from, Nic to, u64 bytes, std::vector<Header>& out) const {
    out.clear();
    all_(ways_.get(), from, to, bytes, out);
  }
  // All headers that messages may have, but for their addresses, where every pair has one way. None where the
  // source does not list them.
  std::span<const Header> numbered() const { return numbered_; }
  // The way of each source to each destination, the first source's first, by its place in that list, which is
  // not empty. What stands there for a NIC and itself means nothing.
  void numbers(std::span<const Nic> from, std::span<const Nic> to, u64 bytes, u32* out) const {
    numbers_(ways_.get(), from, to, bytes, out);
  }
  Reads reads() const { return reads_; }
  const std::vector<u64>& sizes() const { return sizes_; }
  u8 lane(Nic from, Address to, u32 lmc) const { return lane_(ways_.get(), from, to, lmc); }
  const AddressChoice* choice() const { return choice_; }  // null: all addresses are ways

 private:
  static Reads reads_of(const auto& ways) {
    if constexpr (requires { ways.reads(); }) return ways.reads();
    return Reads::nic;
  }
  static std::vector<u64> sizes_of(const auto& ways) {
    if constexpr (requires { ways.sizes(); }) return ways.sizes();
    return {0};
  }
  static void append_ways(const auto& ways, Nic from, Nic to, u64 bytes, std::vector<Header>& out) {
    if constexpr (requires { ways.ways(from, to, bytes, out); }) return ways.ways(from, to, bytes, out);
    const u32 count = ways.count(from, to, bytes);
    for (u32 i = 0; i < count; ++i) out.push_back(ways.way(from, to, bytes, i));
  }
  static std::span<const Header> numbered_of(const auto& ways) {
    if constexpr (requires { ways.numbered(); }) return ways.numbered();
    return {};
  }
  static void write_numbers(const auto& ways, std::span<const Nic> from, std::span<const Nic> to, u64 bytes,
                            u32* out) {
    if constexpr (requires { ways.numbers(from, to, bytes, out); }) ways.numbers(from, to, bytes, out);
  }
  static u8 lane_in(const auto& ways, Nic from, Address to, u32 lmc) {
    if constexpr (requires { ways.lane(from, to); }) return ways.lane(from, to);
    return ways.way(from, Nic{index(to) >> lmc}, 0, index(to) & ((1u << lmc) - 1)).lane;
  }
  static const AddressChoice* choice_of(const auto& ways) {
    if constexpr (requires { ways.choice(); }) return &ways.choice();
    return nullptr;
  }

  Reads reads_;
  std::vector<u64> sizes_;
  std::shared_ptr<const void> ways_;  // immutable
  const AddressChoice* choice_;       // part of it
  std::span<const Header> numbered_;  // part of it
  u32 (*count_)(const void*, Nic, Nic, u64);
  Header (*way_)(const void*, Nic, Nic, u64, u32);
  void (*all_)(const void*, Nic, Nic, u64, std::vector<Header>&);
  void (*numbers_)(const void*, std::span<const Nic>, std::span<const Nic>, u64, u32*);
  u8 (*lane_)(const void*, Nic, Address, u32);
};

// The message size of traffic whose amounts are only relative: long messages.
constexpr u64 long_message = ~u64{0};

struct Routing {
  Forward forward;
  Source source;
  u32 lanes = 1;  // the number of lanes it needs to be deadlock-free
  u32 lmc = 0;    // a NIC has 2^lmc addresses
};

// Asserts that lanes and addresses are possible, and that its tables are of this fabric.
inline void assert_fits(const Routing& routing, const Fabric& fabric) {
  BANYAN_ASSERT(routing.lanes >= 1, "a routing has a lane");
  BANYAN_ASSERT(routing.lmc <= 7, "a NIC has at most 128 addresses");
  if (const auto* tables = std::get_if<Tables>(&routing.forward))
    BANYAN_ASSERT(tables->addresses() == fabric.nics() << routing.lmc,
                  "tables have the addresses of the fabric");
}

inline bool is_adaptive(const Routing& routing) {
  return std::visit([]<class F>(const F&) { return Adaptive<F>; }, routing.forward);
}

// Whether packets that wait must be able to choose again, since only its escape keeps it free of deadlocks.
inline bool has_escape(const Routing& routing) {
  return std::visit([](const auto& forward) { return has_escape(forward); }, routing.forward);
}

using RouteResult = std::variant<Routing, NotApplicable>;

inline Address address_of(Nic nic, u32 lmc = 0, u32 i = 0) { return Address{(index(nic) << lmc) + i}; }
inline Nic nic_of(Address address, u32 lmc = 0) { return Nic{index(address) >> lmc}; }

}  // namespace banyan::routing
