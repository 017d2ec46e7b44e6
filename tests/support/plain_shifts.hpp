// The judge of shifts as one would write it first: every shift, every flow, every channel.
#pragma once
#include <map>
#include <numeric>

#include "routing/paths.hpp"

namespace banyan::tests {

// Loads in twelfths of 1/5 * 1/7 * 1/11 of a flow: a whole number for up to 12 ways.
inline constexpr u64 plain_unit = 27720;

struct PlainShifts {
  u64 worst = 0;                              // load, in units
  std::vector<u64> by_shift;                  // the highest load in each
  std::map<Channel, u64> worst_of;            // the highest load of each channel
  std::vector<std::map<Channel, u64>> loads;  // by shift
  u64 left_out = 0;                           // pairs with a way that does not arrive
};

// One shift of messages of one size: adds to the loads, gives the pairs with a way that does not arrive.
inline u64 plain_shift(const Fabric& fabric, const Routing& routing, u64 bytes, u32 shift,
                       std::map<Channel, u64>& loads) {
  const u32 n = fabric.hosts();
  u64 left_out = 0;
  for (u32 rail = 0; rail < fabric.columns(); ++rail)
    for (u32 i = 0; i < n; ++i) {
      const Nic from = fabric.nic(Host{i}, rail), to = fabric.nic(Host{(i + shift) % n}, rail);
      const auto ways = paths(fabric, routing, from, to, bytes);
      bool all_arrive = !ways.empty();
      for (const RoutedPath& path : ways) {
        all_arrive &= path.arrives;
        if (path.arrives)
          for (Channel c : path.channels) loads[c] += plain_unit / ways.size();
      }
      left_out += !all_arrive;
    }
  return left_out;
}

// Where the size of messages decides about their ways, the heavier of the loads.
inline PlainShifts plain_shifts(const Fabric& fabric, const Routing& routing) {
  const u32 n = fabric.hosts();
  PlainShifts out;
  out.by_shift.resize(n);
  out.loads.resize(n);
  std::map<u64, u64> left_out;  // by size
  for (u32 shift = 1; shift < n; ++shift) {
    for (const u64 bytes : routing.source.sizes()) {
      std::map<Channel, u64> loads;
      left_out[bytes] += plain_shift(fabric, routing, bytes, shift, loads);
      for (const auto& [c, load] : loads) out.loads[shift][c] = std::max(out.loads[shift][c], load);
    }
    for (const auto& [c, load] : out.loads[shift]) {
      out.by_shift[shift] = std::max(out.by_shift[shift], load);
      out.worst_of[c] = std::max(out.worst_of[c], load);
      out.worst = std::max(out.worst, load);
    }
  }
  for (const auto& [bytes, pairs] : left_out) out.left_out = std::max(out.left_out, pairs);
  return out;
}

}  // namespace banyan::tests
