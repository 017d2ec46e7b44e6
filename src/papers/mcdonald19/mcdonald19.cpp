// The judge of McDonald et al.: what the abstract says about throughput and latency on a HyperX of 4,096
// hosts.
#include <fmt/format.h>

#include <algorithm>

#include "papers/paper.hpp"

namespace banyan::papers {
namespace {

std::vector<std::string> all_traffics() {
  return {"uniform", "bit-complement", "transpose", "tornado", "shift:8"};
}

constexpr std::string_view incremental = "omniwar", source_adaptive = "ugal";

class SyntheticRuns {
 public:
  SyntheticRuns(const StudyRows& rows, bool quick) : rows_(rows) {
    if (!quick) return;
    traffics_ = {"uniform", "shift:8"};
    engines_ = {"dor", "ugal", "omniwar"};
  }

  const std::vector<std::string>& traffics() const { return traffics_; }
  const std::vector<std::string>& engines() const { return engines_; }

  Interval accepted(std::string_view engine, std::string_view traffic) const {
    return measured("throughput", engine, traffic, "load=1", "accepted");
  }
  Interval latency(std::string_view engine, std::string_view traffic) const {
    return measured("latency", engine, traffic, "load=0.2", "packet_latency");
  }

 private:
  Interval measured(std::string_view part, std::string_view engine, std::string_view traffic,
                    std::string_view load, std::string_view metric) const {
    return interval_of(rows_.point(part, {engine, traffic, load}), metric);
  }

  const StudyRows& rows_;
  std::vector<std::string> traffics_ = all_traffics();  // of throughput; latency has all
  std::vector<std::string> engines_ = {"dor", "minadaptive", "valiant", "ugal", "dal", "omniwar"};
};

// Whether one is better than the other under some traffic and worse under none: by more than 1 %, a ratio
// being of the one over the other.
Holds never_worse(const std::vector<Interval>& ratios) {
  constexpr double margin = 0.01;
  Holds better = Holds::no;
  bool is_open = false;
  for (const Interval& r : ratios) {
    if (is_more({1 - margin, 0}, r) == Holds::yes) return Holds::no;
    is_open |= is_more(r, {1 - margin, 0}) == Holds::unknown;
    const Holds more = is_more(r, {1 + margin, 0});
    if (more == Holds::yes || (more == Holds::unknown && better == Holds::no)) better = more;
  }
  return is_open ? Holds::unknown : better;
}

std::string shown(const std::vector<std::string>& names, const std::vector<Interval>& ratios) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{} {:.2f}", i == 0 ? "" : ", ", names[i], ratios[i].mean);
  return out;
}

// At full load a quick run is too short to be steady.
void judge_orderings(Reproduction& out, const SyntheticRuns& runs, bool quick) {
  std::vector<Interval> throughput, latency;
  for (const std::string& traffic : runs.traffics())
    throughput.push_back(ratio(runs.accepted(incremental, traffic), runs.accepted(source_adaptive, traffic)));
  for (const std::string& traffic : all_traffics())
    latency.push_back(ratio(runs.latency(source_adaptive, traffic), runs.latency(incremental, traffic)));
  out.ordering("throughput", quick ? Holds::unknown : never_worse(throughput),
               guess("beyond saturation less is accepted than the maximum that a routing carries"),
               "omniwar over ugal: " + shown(runs.traffics(), throughput));
  out.ordering("latency", never_worse(latency),
               guess("at a fifth of the load both mostly take shortest ways"),
               "ugal over omniwar: " + shown(all_traffics(), latency));
}

void judge_factors(Reproduction& out, const SyntheticRuns& runs, bool quick) {
  Interval any{0, 0}, source{0, 0};
  for (const std::string& traffic : runs.traffics())
    for (const std::string& engine : runs.engines()) {
      if (engine == incremental) continue;
      const Interval r = ratio(runs.accepted(incremental, traffic), runs.accepted(engine, traffic));
      if (r.mean > any.mean) any = r;
      if (engine == source_adaptive && r.mean > source.mean) source = r;
    }
  const auto whole = [&](const Interval& x) { return quick ? unless(true, x.mean) : x; };
  out.number(
      "factor.any", whole(any),
      tested("it depends on the traffic: transpose gives more, the others less; theirs are not known"));
  out.number(
      "factor.source", whole(source),
      tested("ugal carries about four tenths or more under every traffic here; four times that is more "
             "than a host can send"));
}

void judge_stencil(Reproduction& out, const StudyRows& rows) {
  const auto cycles = [&](std::string_view engine) { return rows.row("stencil", {engine}, "completion"); };
  out.number("stencil", 100 * (cycles(source_adaptive) / cycles(incremental) - 1),
             guess("their application also computes and reduces, and its ranks may stand in another order"));
}

void show_throughput(Reproduction& out, const SyntheticRuns& runs) {
  std::vector<std::string> columns = {"traffic"};
  columns.insert(columns.end(), runs.engines().begin(), runs.engines().end());
  std::vector<Cells> cells;
  for (const std::string& traffic : runs.traffics()) {
    Cells row = {traffic};
    for (const std::string& engine : runs.engines())
      row.push_back(fmt::format("{:.1f}", 100 * runs.accepted(engine, traffic).mean));
    cells.push_back(std::move(row));
  }
  out.show("Throughput, in % of what hosts can send", std::move(columns), std::move(cells));
}

void judge_mcdonald19(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume("the text that is judged is the abstract: sections and figures were not at hand");
  out.assume("4,096 hosts: HyperX(8x8x8; hosts=8), complete, one cable between two switches of a line");
  out.assume(
      "incremental adaptive routing: omniwar with as many deroutes as dimensions; source adaptive: ugal");
  out.assume(
      "synthetic traffic, which the abstract does not name: uniform, bit-complement, transpose, tornado, and "
      "every switch to the next of its line; throughput is what is accepted at full load");
  out.assume(
      "8 lanes of 40 flits, packets of 10 flits, virtual cut-through, one cycle for link and switch each; "
      "packets for different outputs pass each other");
  out.assume("latency: mean of packets at a load of 0.2");
  out.assume(
      "stencil: 16x16x16 ranks in order, each with a message of four packets for 26 neighbours, all at once");
  const SyntheticRuns runs(rows, options.quick);
  show_throughput(out, runs);
  judge_orderings(out, runs, options.quick);
  judge_factors(out, runs, options.quick);
  judge_stencil(out, rows);
}

}  // namespace

Paper mcdonald19_paper() {
  return {"mcdonald19",
          "McDonald and others: Practical and Efficient Incremental Adaptive Routing for HyperX Networks",
          judge_mcdonald19};
}

}  // namespace banyan::papers
