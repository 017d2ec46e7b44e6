#include "ask/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ask/sweep.hpp"
#include "fabric/faults.hpp"

namespace banyan::ask {

Damage damage(const Loaded& before, FabricRouter router, const std::vector<std::string>& without,
              const RoutingOptions& by, const FailOptions& options) {
  Topology after = before.topology;
  after.fabric = before.raw ? fabric::without(after.fabric, without, *before.raw)
                            : fabric::without(after.fabric, without);
  if (router.is_chosen) router = ask::router(by, options.sweep == Sweep::none ? after : damaged(after));
  return {std::move(after), std::move(router)};
}

void refuse_contradictions(const FailOptions& options, bool fails, const WasGiven& given,
                           std::string_view others) {
  constexpr std::array<std::string_view, 4> of_traffic = {"traffic", "ranks", "placement", "job"},
                                            of_others = {"hashes", "rails-policy", "stripe", "processes"};
  const bool sweeps = options.sweep != Sweep::none;
  if (given("pairs") && options.sweep != Sweep::pairs)
    throw InputError("--pairs is how many of --sweep pairs are drawn: expected that, or no --pairs");
  if (given("top") && !sweeps && !given("counters"))
    throw InputError("--top is how many cables of --sweep or --counters are printed: expected one of these");
  if (sweeps && !given("samples") && std::any_of(of_traffic.begin(), of_traffic.end(), given))
    throw InputError(
        "--sweep lays a traffic only with --samples: expected these, or no --traffic, --ranks, --placement "
        "and "
        "--job");
  if (sweeps && std::any_of(of_others.begin(), of_others.end(), given))
    throw InputError(
        "--sweep lays traffic on one rail, under one hash: expected no --hashes, --rails-policy, --stripe or "
        "--processes");
  if (!sweeps && !fails)
    throw InputError(
        fmt::format("nothing fails: give --without, --sweep links, switches or pairs{}", others));
}

}  // namespace banyan::ask
