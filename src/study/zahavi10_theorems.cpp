// Both theorems of zahavi10 by certificate, its examples of trees, and what happens where its conditions
// fail.
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "engines/engine.hpp"
#include "routing/paths.hpp"
#include "study/zahavi10.hpp"
#include "topology/place.hpp"
#include "verify/shifts.hpp"

namespace banyan::study {
namespace {

using Row = std::vector<std::string>;

Routing routed(const Topology& topology, std::string_view engine = "dmodk") {
  RouteResult result = route(topology, engine);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw std::logic_error(reason->why);
  return std::get<Routing>(std::move(result));
}

ShiftVerdict all_shifts(const Topology& topology, const Routing& routing) {
  auto found = judge_shifts(topology.fabric, routing, {.certificate = true});
  if (const auto* reason = std::get_if<NotApplicable>(&found)) throw std::logic_error(reason->why);
  return std::get<ShiftVerdict>(std::move(found));
}

const Pgft& tree_of(const Topology& topology) { return std::get<Pgft>(topology.shape); }

std::string why_no_rlft(const Topology& topology) {
  return fmt::format("{}", fmt::join(tree_of(topology).rlft_failed(), "; "));
}

constexpr const char* cluster_tree = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";

void trees(Reproduction& out) {
  const Topology xgft = make_topology("XGFT(2; 4,4; 1,2)"), pgft = make_topology("PGFT(2; 4,4; 1,2; 1,2)");
  const Topology cluster = make_topology(cluster_tree), narrow = make_topology("XGFT(3; 4,4,8; 1,4,4)");
  out.ordering("fig1.xgft", !tree_of(xgft).constant_bisection() && xgft.fabric.hosts() == 16);
  out.ordering("fig1.pgft", tree_of(pgft).rlft_failed().empty() && pgft.fabric.hosts() == 16);
  out.number("eq2", tree_of(cluster).rlft_failed().empty() ? cluster.fabric.hosts() : 0);

  const std::vector<Channel> way =
      paths(narrow.fabric, routed(narrow), Nic{127}, Nic{9}).front().channels;  // the first leaves the NIC
  const auto up_port = [&](u32 level) {
    return index(narrow.fabric.port(way[level])) - tree_of(narrow).down_ports(level);
  };
  out.ordering("fig4", up_port(1) == 1 && up_port(2) == 2);

  bool more_than_one = true;
  for (const char* tapered : {"XGFT(2; 4,8; 1,2)", "XGFT(3; 4,4,8; 1,4,2)", "XGFT(3; 4,4,8; 1,2,4)"})
    for (const char* engine : {"dmodk", "smodk", "ftree", "minhop"}) {
      const Topology t = make_topology(tapered);
      more_than_one &= all_shifts(t, routed(t, engine)).load() > 1;
    }
  out.ordering("cbb", more_than_one);
}

// What a certificate says of the channels of a tree.
struct Certified {
  u64 up = 0, counted = 0;               // channels up in use; those whose spans say too little
  u64 down = 0, several = 0;             // channels down in use; those with more than one destination
  u64 from_top = 0;                      // of those down, from the top level
  u64 least_of_top = 0, max_of_top = 0;  // by top switch
};

Certified look_at(const Topology& topology, const ShiftCertificate& certificate) {
  Certified out;
  const IdVector<Node, u32> level = levels(topology);
  const u32 top = tree_of(topology).h();
  IdVector<Node, u64> of_top(level.size(), 0);
  const auto& spans = certificate.parts.front().spans;
  for (const Channel c : spans.ids()) {
    const Node from = topology.fabric.from(c), to = topology.fabric.to(c);
    if (spans[c].length == 0 || level[from] == 0) continue;
    if (level[from] < level[to]) {
      ++out.up;
      out.counted += !spans[c].suffices();
      continue;
    }
    ++out.down;
    out.several += spans[c].gap != certificate.hosts;
    if (level[from] == top) ++out.from_top, ++of_top[from];
  }
  out.least_of_top = ~u64{0};
  for (const Node v : topology.fabric.switch_nodes()) {
    if (level[v] != top) continue;
    out.least_of_top = std::min(out.least_of_top, of_top[v]);
    out.max_of_top = std::max(out.max_of_top, of_top[v]);
  }
  return out;
}

void theorems(Reproduction& out, const PaperOptions& options) {
  bool first = true, second = true, one_top_switch = true;
  std::vector<Row> rows;
  for (const char* notation :
       {"XGFT(2; 2,4; 1,2)", "PGFT(2; 4,4; 1,2; 1,2)", "XGFT(3; 4,4,8; 1,4,4)", cluster_tree,
        "XGFT(3; 18,18,36; 1,18,18)", "XGFT(3; 24,24,48; 1,24,24)", "PGFT(3; 48,48,48; 1,48,24; 1,1,2)"}) {
    if (interrupted()) throw Interrupted();
    const Topology t = make_topology(notation);
    const Routing routing = routed(t);
    const ShiftVerdict verdict = all_shifts(t, routing);
    const u32 hosts = t.fabric.hosts();
    const bool is_small = hosts < (options.quick ? 3'000u : 20'000u);
    const bool holds = verdict.certificate && tree_of(t).rlft_failed().empty() && verdict.left_out == 0;
    const bool rechecked = holds && is_small && recheck_shifts(*verdict.certificate, t.fabric, routing);
    const Certified found = holds ? look_at(t, *verdict.certificate) : Certified{};
    first &= holds && (rechecked || !is_small);
    second &= holds && (rechecked || !is_small) && found.several == 0;
    one_top_switch &= holds && found.several == 0 && found.from_top == hosts;
    if (notation == cluster_tree)
      out.number("lemma6",
                 found.least_of_top == found.max_of_top ? static_cast<double>(found.max_of_top) : 0);
    rows.push_back({notation, std::to_string(hosts), fmt::format("{:g}", verdict.load()),
                    std::to_string(found.up), std::to_string(found.counted), std::to_string(found.down),
                    std::to_string(found.several),
                    rechecked  ? "yes"
                    : is_small ? "NO"
                               : "not asked"});
  }
  out.ordering("theorem1", first);
  out.ordering("theorem2", second);
  out.ordering("lemma5", one_top_switch);
  out.show("Theorems 1 and 2 on RLFTs, over all shifts",
           {"tree", "hosts", "worst load", "channels up", "counted", "channels down",
            "with more destinations", "certificate rechecked"},
           std::move(rows));
}

void other_trees(Reproduction& out) {
  std::vector<Row> rows;
  for (const char* notation :
       {"XGFT(3; 48,48,48; 1,48,48)", "XGFT(3; 4,2,8; 1,4,2)", "XGFT(2; 3,8; 1,4)", "XGFT(2; 3,7; 1,4)",
        "XGFT(2; 4,7; 1,4; hosts=3)", "XGFT(2; 4,4; 2,4)", "XGFT(2; 4,8; 1,2)", "XGFT(3; 4,4,8; 1,4,2)"}) {
    const Topology t = make_topology(notation);
    const ShiftVerdict verdict = all_shifts(t, routed(t));
    rows.push_back({notation, std::to_string(t.fabric.hosts()), fmt::format("{:g}", verdict.load()),
                    verdict.contention_free() ? "-" : std::to_string(verdict.worst_shift), why_no_rlft(t)});
  }
  out.show("Trees that are not RLFT: the conditions suffice, and are not all needed",
           {"tree", "hosts", "worst load", "in shift", "not an RLFT because"}, std::move(rows));
}

}  // namespace

void zahavi10_theorems(Reproduction& out, const PaperOptions& options) {
  out.assume("theorem 2 is read as written: a channel down serves one destination, whatever the shift");
  trees(out);
  theorems(out, options);
  other_trees(out);
}

}  // namespace banyan::study
