// How a switch gives its outputs to its inputs: docs/simulator.md, "Crossing a switch in stages". A crossbar
// knows the pointers of one switch and matches what asks; it knows neither packets nor lanes' credits.
#pragma once
#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::flit {

enum class AllocatorKind : u8 { joint, input_first, output_first, islip, wavefront };

struct Allocator {
  AllocatorKind kind = AllocatorKind::joint;
  u32 iterations = 1;  // of islip

  bool is_joint() const { return kind == AllocatorKind::joint; }
};
// joint, input-first, output-first, islip, islip:iterations=N or wavefront. Throws InputError.
Allocator allocator_of(std::string_view text);

// A flit that could cross, and what it needs for that. A group of input lanes and a place of an output move
// one flit in a cycle.
struct CrossingRequest {
  u32 slot, output, lane;  // the lane of its buffer
  u32 group, place;
  u32 rank;      // the least goes first
  u64 diagonal;  // group + place, of all places of the switch: those that no group reaches are counted, too
};

class Crossbar {
 public:
  Crossbar() = default;
  // `places`: those that some group reaches; `all_places`: of which diagonals are made.
  Crossbar(u32 outputs, u32 lanes, u32 groups, u32 places, u64 all_places)
      : outputs_(outputs),
        lanes_(lanes),
        diagonals_(std::max<u64>(groups, all_places)),
        group_(groups),
        place_(places),
        next_lane_(std::size_t{groups} * outputs) {}

  // Groups and places that may take nothing else in this cycle.
  void block(u32 group, u32 place) { group_[group].busy = place_[place].busy = true; }
  void unblock_all() {
    for (End& group : group_) group.busy = false;
    for (End& place : place_) place.busy = false;
  }

  // `turn`: the number of this allocation. Numbers of requests that are granted, appended to `granted`. Their
  // groups and places are blocked.
  void allocate(const Allocator& how, u64 turn, std::span<const CrossingRequest> requests,
                std::vector<u32>& granted);

 private:
  struct End {
    u32 pointer = 0;     // of a group: over outputs; of a place: over groups
    u32 best = 0;        // the request that it has chosen,
    u64 order = no_one;  // and how early that comes
    bool busy = false;
  };
  static constexpr u64 no_one = ~u64{0};

  bool is_open(const CrossingRequest& r) const { return !group_[r.group].busy && !place_[r.place].busy; }
  u8& next_lane(const CrossingRequest& r) { return next_lane_[std::size_t{r.group} * outputs_ + r.output]; }
  u64 order_at_group(const CrossingRequest& r);
  u64 order_at_place(const CrossingRequest& r);
  void input_first(std::span<const CrossingRequest> requests, std::vector<u32>& granted);
  bool output_first(std::span<const CrossingRequest> requests, bool moves_pointers,
                    std::vector<u32>& granted);
  void wavefront(u64 turn, std::span<const CrossingRequest> requests, std::vector<u32>& granted);
  void match(const CrossingRequest& r, u32 number, bool moves_pointers, std::vector<u32>& granted);

  u32 outputs_ = 0, lanes_ = 0;
  u64 diagonals_ = 1;
  std::vector<End> group_, place_;
  std::vector<u8> next_lane_;  // by group and output: a pointer over lanes
  std::vector<u32> by_order_;
};

}  // namespace banyan::flit
