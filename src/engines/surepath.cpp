// SurePath: the candidates of Polarized or Omni-WAR on any adaptive lane, and an escape by Up*/Down* on a
// lane of its own, which survives any faults (Cano et al., Achieving High-Performance Fault-Tolerant
// Routing in HyperX Interconnection Networks, 2024). Free of deadlock by Duato's condition.
#include "engines/incremental.hpp"

namespace banyan::engines {
namespace {

enum class SurepathCandidates : u8 { polarized, omniwar };
constexpr std::array<std::string_view, 2> option_names(SurepathCandidates) {
  return {"polarized", "omniwar"};
}

struct SurepathOptions {
  SurepathCandidates candidates = SurepathCandidates::polarized;
  u32 lanes = 2;
  std::string extra = "auto";
  static void fields(auto& self, auto&& f) {
    f("candidates", self.candidates, "which neighbours are offered outside the escape");
    f("lanes", self.lanes, "of which the last is the escape");
    f("extra", self.extra, "hops beyond the longest shortest path; auto: as many again");
  }
};

RouteResult route_surepath(const Topology& topology, const SurepathOptions& options) {
  if (auto refused = refuse_incremental(topology, "surepath")) return *refused;
  if (options.lanes < 2 || options.lanes > lanes_in_mask)
    return NotApplicable{fmt::format("surepath needs 2 to {} lanes, not {}", lanes_in_mask, options.lanes)};
  SwitchCables graph(topology.fabric);
  UpDownEscape escape(graph, std::vector<bool>(graph.to.size(), true), false);
  constexpr u32 max_hops = 250;  // the state of a packet counts them
  const u64 all_hops = ExtraHops{"extra", options.extra}.hops(reach_of(graph));
  if (std::max<u64>(all_hops, escape.longest()) > max_hops)
    return NotApplicable{
        fmt::format("surepath handles ways of up to {} channels between switches", max_hops)};
  const auto rule = options.candidates == SurepathCandidates::omniwar ? IncrementalRule::no_farther
                                                                      : IncrementalRule::polarized;
  const u32 hops = static_cast<u32>(all_hops);
  Source source = source_for(rule, graph);
  IncrementalHops forward(std::move(graph), {rule, hops, options.lanes - 1}, std::move(escape), false);
  return Routing{std::move(forward), std::move(source), options.lanes};
}

}  // namespace

Engine surepath_engine() {
  return make_engine<route_surepath>("surepath", "Cano et al., 2024",
                                     "all but fat-trees: hops of polarized or omniwar on any lane, and an "
                                     "escape by up/down on the last one");
}

}  // namespace banyan::engines
