// The judge of Ahn et al.: what the abstract says of HyperX and DAL beside a folded Clos.
#include <fmt/format.h>

#include "papers/paper.hpp"

namespace banyan::papers {
namespace {

constexpr std::string_view ahn_hyperx = "HyperX", ahn_clos = "folded Clos";

// What the HyperX has over what the folded Clos has, under each traffic.
struct OverClos {
  std::vector<std::string> traffics;
  std::vector<Interval> ratios;
  std::vector<Cells> cells;

  OverClos(const StudyRows& rows, std::string_view part, std::string_view metric, double unit, bool quick) {
    traffics = {"uniform", "shift:6"};
    if (!quick) traffics = {"uniform", "permutation", "bisection", "shift:432", "shift:6"};
    for (const std::string& traffic : traffics) {
      const Interval ours = simulated(rows.point(part, {ahn_hyperx, traffic}), metric);
      const Interval theirs = simulated(rows.point(part, {ahn_clos, traffic}), metric);
      ratios.push_back(ratio(ours, theirs));
      cells.push_back(
          {traffic, fmt::format("{:.1f}", unit * ours.mean), fmt::format("{:.1f}", unit * theirs.mean)});
    }
  }

  std::string found() const {
    std::string out;
    for (std::size_t i = 0; i < traffics.size(); ++i)
      out += fmt::format("{}{} {:.2f}", i == 0 ? "HyperX over folded Clos: " : ", ", traffics[i],
                         ratios[i].mean);
    return out;
  }
};

void judge_ahn09(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume("the text that is judged is the abstract: sections and figures were not at hand");
  out.assume(
      "switches of 28 ports, full bisection: HyperX(12x12; hosts=6) of 864 hosts with dal, PGFT(3; 14,14,4; "
      "1,14,2; 1,1,7) of 784 hosts with adaptive routing; sizes, traffics and the margin of 5 % are ours, "
      "and were fixed before a run, but for shift:432: it took the place of tornado after a look at it");
  out.assume(
      "traffic: uniform, permutation, bisection, every switch of the HyperX to the next, every one to the "
      "sixth of its other line");
  out.assume(
      "8 lanes of 40 flits, packets of 10 flits, virtual cut-through, one cycle for link and switch each; "
      "packets for different outputs pass each other; throughput is what is accepted at full load");
  out.assume(
      "points run until their warm-up is over and their intervals are within 2 %, up to 30,000 cycles (600 "
      "with --quick); what ends in its warm-up decides nothing");
  const OverClos throughput(rows, "throughput", "accepted", 100, options.quick);
  const OverClos latency(rows, "latency", "packet_latency", 1, options.quick);
  Holds as_much = Holds::yes, as_soon = Holds::yes;
  for (const Interval& r : throughput.ratios) as_much = all_hold({as_much, is_more(r, {0.95, 0})});
  for (const Interval& r : latency.ratios) as_soon = all_hold({as_soon, is_more({1.05, 0}, r)});
  const auto whole = [&](Holds holds) { return options.quick ? Holds::unknown : holds; };
  out.show("Accepted at full load, in % of what hosts can send", {"traffic", "HyperX", "folded Clos"},
           throughput.cells);
  out.show("Latency of packets at a load of 0.2, in cycles", {"traffic", "HyperX", "folded Clos"},
           latency.cells);
  const std::string why = guess("their sizes and traffics are not in the abstract");
  out.ordering("throughput", whole(as_much), why, throughput.found());
  out.ordering("latency", whole(as_soon), why, latency.found());
  const auto per_host = [&](std::string_view fabric) {
    return rows.row("size", {fabric}, "switches") / rows.row("size", {fabric}, "hosts");
  };
  const double ours = per_host("HyperX(12x12; hosts=6)"),
               theirs = per_host("PGFT(3; 14,14,4; 1,14,2; 1,1,7)");
  out.ordering("switches", ours < theirs, known("it follows from the sizes"),
               fmt::format("{:.4f} for each host, folded Clos {:.4f}", ours, theirs));
}

}  // namespace

Paper ahn09_paper() {
  return {"ahn09",
          "Ahn and others: HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks",
          judge_ahn09};
}

}  // namespace banyan::papers
