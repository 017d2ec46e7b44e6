// The fabric itself, as banyan describe says it.
#include "study/measure.hpp"
#include "topology/properties.hpp"

namespace banyan::study {
namespace {

Found describe(const Situation& at, const NoOptions&) {
  const Properties p = properties(at.topology, at.threads);
  Found out;
  out.add("hosts", p.hosts);
  out.add("switches", p.switches);
  out.add("links", p.links);
  out.add("missing_links", static_cast<double>(p.missing_links));
  out.add("switch_ports_max", p.switch_ports_max);
  out.add("diameter", p.distances.diameter, "channels");
  out.add("average_distance", p.distances.average, "channels");
  out.add("shortest_paths_max", static_cast<double>(p.distances.shortest_paths_max));
  out.add("unreachable_pairs", static_cast<double>(p.distances.unreachable_pairs));
  out.add("bisection_links", static_cast<double>(p.bisection.links));
  out.add("bisection_ratio", p.bisection_ratio);
  out.add("bisection_exact", p.bisection.exact);
  return out;
}

double describe_seconds(const Topology& t, const NoOptions&) {
  if (t.is_intact() && !std::holds_alternative<Irregular>(t.shape)) return 1e-3;
  return 2e-8 * t.fabric.switches() * t.fabric.links() + 2e-3 * t.fabric.switches();
}

}  // namespace

StudyMeasure describe_measure() {
  return make_measure<describe, describe_seconds>("describe", "counts, distances and bisection of the fabric",
                                                  Needs::fabric, "");
}

}  // namespace banyan::study
