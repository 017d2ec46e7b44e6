// Both theorems of zahavi10 by certificate, its examples of trees, and what happens where its conditions
// fail.
#include <fmt/format.h>

#include "engines/engine.hpp"
#include "papers/zahavi10/zahavi10.hpp"
#include "routing/paths.hpp"

namespace banyan::papers {
namespace {

const Pgft& tree_of(const Topology& topology) { return std::get<Pgft>(topology.shape); }

std::string why_no_rlft(const Topology& topology) {
  return fmt::format("{}", fmt::join(tree_of(topology).rlft_failed(), "; "));
}

constexpr const char* cluster_tree = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";

void trees(Reproduction& out, const StudyRows& rows) {
  const Topology xgft = make_topology("XGFT(2; 4,4; 1,2)"), pgft = make_topology("PGFT(2; 4,4; 1,2; 1,2)");
  const Topology cluster = make_topology(cluster_tree), narrow = make_topology("XGFT(3; 4,4,8; 1,4,4)");
  out.ordering("fig1.xgft", !tree_of(xgft).constant_bisection() && xgft.fabric.hosts() == 16);
  out.ordering("fig1.pgft", tree_of(pgft).rlft_failed().empty() && pgft.fabric.hosts() == 16);
  out.number("eq2", tree_of(cluster).rlft_failed().empty() ? cluster.fabric.hosts() : 0);

  const std::vector<Channel> way =
      paths(narrow.fabric, std::get<Routing>(route(narrow, "dmodk")), Nic{127}, Nic{9}).front().channels;
  const auto up_port = [&](u32 level) {
    return index(narrow.fabric.port(way[level])) - tree_of(narrow).down_ports(level);
  };
  out.ordering("fig4", up_port(1) == 1 && up_port(2) == 2);

  bool more_than_one = true;
  for (const StoredPoint& point : rows.all())
    if (point.point.starts_with("tapered")) more_than_one &= row_of(point, "worst_shift_load") > 1;
  out.ordering("cbb", more_than_one);
}

void theorems(Reproduction& out, const StudyRows& found) {
  bool first = true, second = true, one_top_switch = true;
  std::vector<Cells> rows;
  for (const StoredPoint& point : found.all()) {
    const bool is_small = point.point.starts_with("rechecked");
    if (!is_small && !point.point.starts_with("large")) continue;
    const Topology t = make_topology(point.fabric);
    const u32 hosts = t.fabric.hosts();
    const bool holds = row_of(point, "certificate") != 0 && tree_of(t).rlft_failed().empty() &&
                       row_of(point, "left_out_pairs") == 0;
    const auto of = [&](std::string_view metric) { return holds ? row_of(point, metric) : 0; };
    const bool rechecked = is_small && of("rechecked") != 0;
    first &= holds && (rechecked || !is_small);
    second &= holds && (rechecked || !is_small) && of("channels_down_several") == 0;
    one_top_switch &= holds && of("channels_down_several") == 0 && of("channels_from_top") == hosts;
    if (point.fabric == cluster_tree) {
      const double of_switch = of("channels_of_top_switch_max");
      out.number("lemma6", of("channels_of_top_switch_least") == of_switch ? of_switch : 0);
    }
    const auto text = [&](std::string_view metric) { return fmt::format("{:.0f}", of(metric)); };
    rows.push_back({point.fabric, std::to_string(hosts),
                    fmt::format("{:g}", row_of(point, "worst_shift_load")), text("channels_up"),
                    text("channels_up_counted"), text("channels_down"), text("channels_down_several"),
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

void other_trees(Reproduction& out, const StudyRows& found) {
  std::vector<Cells> rows;
  for (const StoredPoint& point : found.all()) {
    if (!point.point.starts_with("not RLFT")) continue;
    const Topology t = make_topology(point.fabric);
    const bool is_free = row_of(point, "shift_contention_free") != 0;
    rows.push_back({point.fabric, std::to_string(t.fabric.hosts()),
                    fmt::format("{:g}", row_of(point, "worst_shift_load")),
                    is_free ? "-" : fmt::format("{:.0f}", row_of(point, "worst_shift")), why_no_rlft(t)});
  }
  out.show("Trees that are not RLFT: the conditions suffice, and are not all needed",
           {"tree", "hosts", "worst load", "in shift", "not an RLFT because"}, std::move(rows));
}

}  // namespace

void zahavi10_theorems(Reproduction& out, const StudyRows& rows) {
  out.assume("theorem 2 is read as written: a channel down serves one destination, whatever the shift");
  trees(out, rows);
  theorems(out, rows);
  other_trees(out, rows);
}

}  // namespace banyan::papers
