#include "traffic/collectives/by_host.hpp"

#include <fmt/format.h>

namespace banyan::traffic {

HostGrid::HostGrid(std::string_view collective, u32 ranks, u32 local)
    : hosts_(ranks / std::max(1u, local)), local_(local) {
  if (local == 0)
    throw InputError(fmt::format("{}: 0 ranks of a host; expected local=N, at least 1", collective));
  if (ranks % local_ != 0)
    throw InputError(fmt::format("{}: {} ranks of a host do not divide {} ranks", collective, local_, ranks));
}

Schedule rail_rings(const HostGrid& grid, u64 rounds, u64 bytes) {
  // Ring c at its step s of host h.
  const auto rank_at = [grid](u32 ring, u32 place) {
    const u32 host = place / grid.local(), step = place % grid.local();
    const u32 number = host % 2 == 0 ? ring + step : ring + grid.local() - 1 - step;
    return grid.rank(host, number % grid.local());
  };
  return {
      rounds, [=](u64, std::vector<Demand>& out) {
        for (u32 ring = 0; ring < grid.local(); ++ring)
          for (u32 place = 0; place < grid.ranks(); ++place)
            out.push_back(message(rank_at(ring, place), rank_at(ring, (place + 1) % grid.ranks()), bytes));
      }};
}

Schedule inside_hosts(const HostGrid& grid, std::function<u64(u32 from, u32 to)> bytes) {
  return {grid.local() > 1 ? 1u : 0u, [grid, bytes = std::move(bytes)](u64, std::vector<Demand>& out) {
            for (u32 host = 0; host < grid.hosts(); ++host)
              for (u32 from = 0; from < grid.local(); ++from)
                for (u32 k = 1; k < grid.local(); ++k) {
                  const u32 to = (from + k) % grid.local();
                  if (bytes(from, to) > 0)
                    out.push_back(message(grid.rank(host, from), grid.rank(host, to), bytes(from, to)));
                }
          }};
}

Schedule along_rails(const HostGrid& grid, const std::function<Schedule(u32 rail)>& make) {
  std::vector<Schedule> rails;
  u64 rounds = 0;
  for (u32 rail = 0; rail < grid.local(); ++rail)
    rounds = std::max(rounds, rails.emplace_back(make(rail)).rounds);
  return {rounds, [grid, rails = std::move(rails)](u64 round, std::vector<Demand>& out) {
            for (u32 rail = 0; rail < grid.local(); ++rail) {
              if (round >= rails[rail].rounds) continue;
              const std::size_t first = out.size();
              rails[rail].list(round, out);
              for (std::size_t i = first; i < out.size(); ++i) {
                out[i].from = Rank{grid.rank(index(out[i].from), rail)};
                out[i].to = Rank{grid.rank(index(out[i].to), rail)};
              }
            }
          }};
}

}  // namespace banyan::traffic
