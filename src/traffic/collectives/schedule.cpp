#include "traffic/collectives/schedule.hpp"

#include <fmt/format.h>

namespace banyan::traffic {

Schedule stored(std::vector<std::vector<Demand>> rounds) {
  const u64 count = rounds.size();
  return {count, [rounds = std::move(rounds)](u64 round, std::vector<Demand>& out) {
            out.insert(out.end(), rounds[round].begin(), rounds[round].end());
          }};
}

Schedule in_sequence(Schedule first, Schedule second) {
  const u64 rounds = first.rounds + second.rounds;
  return {rounds,
          [first = std::move(first), second = std::move(second)](u64 round, std::vector<Demand>& out) {
            if (round < first.rounds)
              first.list(round, out);
            else
              second.list(round - first.rounds, out);
          }};
}

Schedule to_root(u32 ranks, u32 root, u64 bytes) {
  return {1, [=](u64, std::vector<Demand>& out) {
            for (u32 i = 0; i < ranks; ++i)
              if (i != root) out.push_back(message(i, root, bytes));
          }};
}

Schedule from_root(u32 ranks, u32 root, u64 bytes) {
  return {1, [=](u64, std::vector<Demand>& out) {
            for (u32 i = 0; i < ranks; ++i)
              if (i != root) out.push_back(message(root, i, bytes));
          }};
}

Elements elements(std::string_view collective, u64 bytes, u32 element) {
  if (element == 0 || bytes % element != 0)
    throw InputError(fmt::format("{}: {} bytes are not a multiple of the element size, {} bytes", collective,
                                 bytes, element));
  return {bytes / element, element};
}

}  // namespace banyan::traffic
