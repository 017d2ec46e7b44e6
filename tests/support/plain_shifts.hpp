// The judge of shifts as one would write it first: every shift, every flow, every channel.
#pragma once
#include <map>
#include <numeric>

#include "routing/paths.hpp"

namespace banyan {

// Loads in twelfths of 1/5 * 1/7 * 1/11 of a flow: a whole number for up to 12 ways.
inline constexpr u64 plain_unit = 27720;

struct PlainShifts {
  u64 worst = 0;                              // load, in units
  std::vector<u64> by_shift;                  // the highest load in each
  std::map<Channel, u64> worst_of;            // the highest load of each channel
  std::vector<std::map<Channel, u64>> loads;  // by shift
  u64 left_out = 0;                           // pairs with a way that does not arrive
};

inline PlainShifts plain_shifts(const Fabric& fabric, const Routing& routing) {
  const u32 n = fabric.hosts();
  PlainShifts out;
  out.by_shift.resize(n);
  out.loads.resize(n);
  for (u32 shift = 1; shift < n; ++shift) {
    for (u32 rail = 0; rail < fabric.rails(); ++rail)
      for (u32 i = 0; i < n; ++i) {
        const Nic from = fabric.nic(Host{i}, rail), to = fabric.nic(Host{(i + shift) % n}, rail);
        const auto ways = paths(fabric, routing, from, to);
        bool all_arrive = !ways.empty();
        for (const RoutedPath& path : ways) {
          all_arrive &= path.arrives;
          if (path.arrives)
            for (Channel c : path.channels) out.loads[shift][c] += plain_unit / ways.size();
        }
        out.left_out += !all_arrive;
      }
    for (const auto& [c, load] : out.loads[shift]) {
      out.by_shift[shift] = std::max(out.by_shift[shift], load);
      out.worst_of[c] = std::max(out.worst_of[c], load);
      out.worst = std::max(out.worst, load);
    }
  }
  return out;
}

}  // namespace banyan
