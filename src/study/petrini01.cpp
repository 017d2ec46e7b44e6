// Petrini et al.: QsNET, measured on 8 hosts of a 4-ary 2-tree; here simulated with one set of parameters.
#include "study/petrini01.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "routing/walk.hpp"
#include "topology/properties.hpp"
#include "verify/judge.hpp"

namespace banyan::study {
namespace {

// From every root the ports that lead to a host are the same.
bool same_labels(const QsnetFabric& f) {
  const Fabric& fabric = f.topology.fabric;
  const auto& tree = std::get<Pgft>(f.topology.shape);
  const u32 first_root = fabric.nics() + tree.first_switch(tree.h());
  Hops hops;
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    std::vector<u32> expected;
    for (u32 root = first_root; root < first_root + tree.switches(tree.h()); ++root) {
      std::vector<u32> labels;
      const Header header = f.routing.source.way(Nic{host == 0 ? 1u : 0u}, Nic{host}, 0, 0);
      const auto first_offer = [&](Node node, const Header& h) {
        std::visit([&](const auto& forward) { offered(forward, node, h, hops); }, f.routing.forward);
        labels.push_back(index(hops[0].port));
        return take(fabric, node, hops[0], Node{host});
      };
      if (!walk_by(first_offer, Node{root}, header, Node{host}, [](Channel) {}).arrived()) return false;
      if (expected.empty()) expected = labels;
      if (labels != expected) return false;
    }
  }
  return true;
}

// Equations (3) and (4) for all pairs.
bool distances_hold(u32 n, bool ancestors) {
  const Topology t = make_topology(fmt::format("4-ary {}-tree", n));
  for (u32 a = 0; a<t.fabric.hosts(); a += t.fabric.hosts()> 64 ? 37 : 1)
    for (u32 b = 0; b < t.fabric.hosts(); ++b) {
      if (a == b) continue;
      u32 mdi = 0, span = t.fabric.hosts() / 4;
      while (a / span == b / span) ++mdi, span /= 4;  // digits from the most significant
      const PairProperties found = pair_properties(t, Host{a}, Host{b});
      u64 count = 1;
      for (u32 i = mdi + 1; i < n; ++i) count *= 4;
      if (found.distance != 2 * (n - mdi)) return false;
      if (ancestors && found.nearest_common_ancestors.size() != count) return false;
    }
  return true;
}

void assume(Reproduction& out) {
  out.assume("8 hosts of a 4-ary 2-tree, adaptive routing by tags; buffers in main memory unless said");
  out.assume(
      "latency of Elan3lib: from the command to the notice at the source, steps 2 to 10 of Figure 5; of "
      "Tports "
      "and MPI: half of the round trip");
  out.assume(
      "bandwidth of Elan3lib: a chain of puts, each begun on the card by the source event of the one before, "
      "so "
      "that posting and notices overlap with the transfer (Section 4.7)");
  out.assume(
      "links change lanes only between transactions; acknowledgements and EOPs take time but no bandwidth");
  out.assume(
      "total exchange: a barrier, then each host puts to its right neighbours in turn; a source event fires "
      "for "
      "every put, the target event counts");
  out.assume(
      "MPI both ways: blocking sends before receives up to 64 KB, so that messages come unexpected and are "
      "copied; beyond that receives first");
}

void show_parameters(Reproduction& out, const qsnet::Parameters& parameters) {
  std::vector<std::vector<std::string>> rows;
  u32 fitted = 0;
  qsnet::Parameters::list(
      parameters, [&](std::string_view key, const auto& value, std::string_view unit, qsnet::Origin origin,
                      std::string_view source, std::string_view meaning) {
        constexpr std::string_view origins[] = {"paper", "fitted", "assumed"};
        fitted += origin == qsnet::Origin::fitted;
        rows.push_back({std::string(key), fmt::format("{}", value), std::string(unit),
                        std::string(origins[static_cast<std::size_t>(origin)]), std::string(source),
                        std::string(meaning)});
      });
  out.show(fmt::format("Parameters; {} are fitted", fitted),
           {"parameter", "value", "unit", "origin", "source", "meaning"}, std::move(rows));
}

void run(Reproduction& out, const PaperOptions& options) {
  const QsnetFabric eight("4-ary 2-tree");
  assume(out);
  show_parameters(out, eight.parameters);
  petrini01_trees(out);
  petrini01_network(out, eight, options);
  petrini01_pings(out, eight, options);
  petrini01_many(out, eight, options);
  petrini01_levels(out, eight, options);
}

}  // namespace

Routing QsnetFabric::routed(const Topology& topology) {
  RouteResult result = route(topology, "adaptive");
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw std::logic_error(reason->why);
  return std::get<Routing>(std::move(result));
}

void petrini01_trees(Reproduction& out) {
  const QsnetFabric tree("4-ary 3-tree");
  const Properties found = properties(tree.topology);
  const double hosts = found.hosts;
  out.number("tree.hosts", hosts);
  out.number("tree.switches", found.switches);
  out.ordering("tree.distance", distances_hold(1, false) && distances_hold(2, false) &&
                                    distances_hold(3, false) && distances_hold(4, false));
  out.ordering("tree.ancestors", distances_hold(3, true));
  out.number("tree.diameter", properties(make_topology("4-ary 5-tree")).distances.diameter);
  out.number("tree.average", found.distances.average * (hosts - 1) / hosts);
  out.number("tree.bisection", static_cast<double>(found.bisection.links));
  out.ordering("tree.delta", same_labels(tree));
  out.ordering("tree.deadlock", judge(tree.topology.fabric, tree.routing).yes());
}

Paper petrini01_paper() {
  return {"petrini01",
          "Petrini, Hoisie, Feng, Graham: Performance Evaluation of the Quadrics Interconnection Network",
          run};
}

}  // namespace banyan::study
