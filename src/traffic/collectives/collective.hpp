// Shared by the collectives: the table of their algorithms, the choice among them, and the pattern made from
// a collective.
#pragma once
#include <fmt/format.h>

#include <array>

#include "base/suggest.hpp"
#include "traffic/collectives/collectives.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {

// Evaluates fixed rules given as text: a line for each upper bound of the number of ranks, with an algorithm
// for each upper bound of the size:
//   <8: <16 ring, <8192 recursive-doubling, rabenseifner
//   more: ...
std::string_view decided(std::string_view rules, u32 ranks, u64 bytes);

constexpr u64 max_bytes = u64{1} << 48;  // sums over ranks stay exact

template <class Options>
struct Algorithm {
  std::string_view name;
  Schedule (*make)(u32 ranks, const Options& options);  // only called with at least two ranks and one byte
};

// The algorithm that the options name or, for `auto`, that the rules choose for this size. Throws InputError.
template <class Options, std::size_t n>
Chosen choose(std::string_view collective, const std::array<Algorithm<Options>, n>& all,
              std::string_view rules, u32 ranks, u64 bytes, Options options) {
  if (bytes > max_bytes)
    throw InputError(fmt::format("{}: bytes must be at most {}, not {}", collective, max_bytes, bytes));
  std::string name = options.algorithm;
  if (name == "auto") {
    name = decided(rules, ranks, bytes);
    if constexpr (requires { options.chains; }) options.chains = 1;  // as Open MPI's rules have it
  }
  std::vector<std::string_view> known;
  for (const Algorithm<Options>& algorithm : all) {
    known.push_back(algorithm.name);
    if (algorithm.name != name) continue;
    if constexpr (requires { options.root; })
      if (options.root >= ranks)
        throw InputError(
            fmt::format("{}: root must be below {} ranks, not {}", collective, ranks, options.root));
    const bool nothing = ranks < 2 || (bytes == 0 && requires { options.bytes; });
    return {name, nothing ? stored({}) : algorithm.make(ranks, options)};
  }
  throw InputError(fmt::format("{}: unknown algorithm '{}'{}", collective, name, suggestion(name, known)));
}

// How NCCL's tests count a collective: whether its size is that of all ranks' bytes together, and how often
// it must pass through the links of a rank, where a rank's own part need not.
struct Counting {
  bool of_all_ranks = false;
  u32 times = 1;
  bool without_own_part = true;
};

// Makes a pattern from a function Chosen(u32 ranks, const Options&).
template <auto function, Counting counting, class Options>
Pattern collective_of(Chosen (*)(u32, const Options&), std::string_view name, std::string_view source,
                      std::string_view summary) {
  const auto make = [](const PatternSetting& setting, const PluginText& text) -> Traffic {
    Options options = read_options<Options>(text);
    if constexpr (requires { options.local; })
      if (options.local == 0) options.local = setting.processes;
    double size = 0;
    if constexpr (requires { options.bytes; })
      size = static_cast<double>(options.bytes) * (counting.of_all_ranks ? setting.ranks : 1);
    const double own = counting.without_own_part ? 1.0 / setting.ranks : 0;
    auto [algorithm, schedule] = function(setting.ranks, options);
    const u64 rounds = schedule.rounds;
    const auto list = [schedule = std::move(schedule)](u64, u64, u64 round, std::vector<Demand>& out) {
      schedule.list(round, out);
    };
    return {.ranks = setting.ranks,
            .list = list,
            .rounds = rounds,
            .in_bytes = true,
            .algorithm = algorithm,
            .size = size,
            .bus_share = counting.times * (1 - own)};
  };
  return {name, source, summary, option_infos<Options>(), make, true};
}
template <auto function, Counting counting>
Pattern make_collective(std::string_view name, std::string_view source, std::string_view summary) {
  return collective_of<function, counting>(function, name, source, summary);
}

}  // namespace banyan::traffic
