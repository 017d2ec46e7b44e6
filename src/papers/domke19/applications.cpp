// Figure 6 of domke19: applications one at a time, over several draws of cables and hosts, at flow level.
#include "papers/domke19/applications.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/parx.hpp"
#include "study/round_timer.hpp"

namespace banyan::papers::domke19 {

void time_alone(Run& run, const Fabric& fabric, const Routing& routing, u32 i) {
  run.computing = run.profile->seconds();
  RoundTimer times(fabric, routing, run.placement, time_options(i), i == parx ? parx_threshold : 0);
  for (const Phase& phase : run.profile->phases)
    for (const auto& round : phase.rounds) {
      run.round_seconds.push_back(times(round));
      run.sending += static_cast<double>(phase.repeats) * run.round_seconds.back();
    }
}

NodeDemands demands_of(const std::vector<Run>& runs, u32 hosts) {
  std::vector<HostAmount> amounts;
  for (const Run& run : runs)
    for (const Demand& d : run.profile->totals())
      amounts.push_back({run.placement[d.from], run.placement[d.to], d.amount});
  return {hosts, normalised(std::move(amounts))};
}

Routing routing_for(const Machines& m, u32 i, const std::vector<Run>& runs) {
  if (i != parx) return m.routing(i);
  return taken(parx_paths(m.hyperx, demands_of(runs, m.hyperx.fabric.hosts())));
}

namespace {

std::vector<u32> counts_of(const PaperApplication& app, bool quick) {
  if (quick) return {app.hosts()};
  std::vector<u32> out = app.power_of_two ? powers_of_two() : sevens();
  if (app.name == "milc") out.pop_back();  // as in the paper, where 512 took too long
  return out;
}

double best(const Figure::Panel& app, std::size_t row, u32 i) { return five_numbers(app.at(row, i))[0]; }
double best_hyperx(const Figure::Panel& app, std::size_t row) {
  return std::min({best(app, row, minimal), best(app, row, minimal_random), best(app, row, parx)});
}

// What the paper writes above its whiskers: the best run against the best of the baseline.
Figure gains_of(const std::vector<Figure::Panel>& found) {
  Figure out{
      .kind = Figure::Kind::gains,
      .title = "Applications alone (Figure 6): gain of the best run over the fat-tree with ftree, linear",
      .down = "application",
      .across = "hosts",
      .value = "gain",
      .statements = {"hpl.random", "hpcg.random", "graph500.random"}};
  for (u32 i = 1; i < combinations; ++i)
    for (const bool power_of_two : {false, true}) {
      std::vector<std::string> rows, columns;
      for (std::size_t a = 0; a < paper_applications.size(); ++a) {
        if (paper_applications[a].power_of_two != power_of_two) continue;
        rows.emplace_back(paper_applications[a].name);
        if (found[a].rows.size() > columns.size()) columns = found[a].rows;
      }
      Figure::Panel panel = make_panel(std::string(combination(i).name), rows, columns);
      std::size_t r = 0;
      for (std::size_t a = 0; a < paper_applications.size(); ++a) {
        if (paper_applications[a].power_of_two != power_of_two) continue;
        for (std::size_t n = 0; n < found[a].rows.size(); ++n)
          panel.at(r, n) = {best(found[a], n, tree_ftree) / best(found[a], n, i) - 1};
        ++r;
      }
      out.panels.push_back(std::move(panel));
    }
  return out;
}

void show_applications(Reproduction& out, std::vector<Figure::Panel> found, const DrawnMachines& machines) {
  out.draw(gains_of(found));
  Figure figure{.kind = Figure::Kind::whiskers,
                .title = "Applications alone (Figure 6): time of a profile",
                .down = "hosts",
                .across = "combination",
                .value = "time",
                .unit = "s",
                .statements = {"apps.amg", "apps.ffvc", "apps.milc", "apps.minife", "apps.mvmc",
                               "apps.ntchem", "apps.qball"},
                .panels = std::move(found)};
  figure.note =
      fmt::format("Over {} draws of cables and hosts. The axes do not begin at zero.", machines.size());
  out.draw(std::move(figure));
}

// Whether the best combination of the HyperX keeps up at most numbers of hosts.
void judge_app(Reproduction& out, std::string_view name, const Figure::Panel& app) {
  const bool small_and_middle = name == "ntchem" || name == "qball";
  u32 kept = 0, asked = 0;
  double worst = 0;
  for (std::size_t n = 0; n < app.rows.size(); ++n) {
    if (small_and_middle && std::stoul(app.rows[n]) > 224) continue;
    const double ours = name == "milc" ? best(app, n, minimal) : best_hyperx(app, n);
    const double slower = ours / best(app, n, tree_ftree) - 1;
    ++asked;
    if (slower <= 0.01) ++kept;
    worst = std::max(worst, slower);
  }
  out.ordering(fmt::format("apps.{}", name), 2 * kept > asked, "",
               fmt::format("it keeps up at {} of {} numbers of hosts, and is {:.1f} % slower at worst", kept,
                           asked, 100 * worst));
}

void judge_apps(Reproduction& out, const std::vector<Figure::Panel>& found) {
  const auto of = [&](std::string_view name) -> const Figure::Panel& {
    for (const Figure::Panel& app : found)
      if (app.title == name) return app;
    throw std::logic_error("no such application");
  };
  for (const char* name : {"amg", "ffvc", "milc", "minife", "mvmc", "ntchem", "qball"})
    judge_app(out, name, of(name));
  for (const char* name : {"hpl", "hpcg", "graph500"}) {
    const Figure::Panel& app = of(name);
    double gain = -1;
    for (std::size_t n = 0; n < app.rows.size(); ++n)
      gain = std::max(gain, best(app, n, tree_ftree) / best(app, n, minimal_random) - 1);
    out.number(
        fmt::format("{}.random", name), 100 * gain,
        std::string_view(name) == "graph500"
            ? "our search spends most of its time sending, theirs less"
            : "computing hides it here; the paper itself suspects its small matrices and run-to-run spread");
  }
}

}  // namespace

FlowApplications::FlowApplications(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks)
    : machines_(machines), options_(options) {
  plan_lanes(tasks);
  plan_alone(tasks);
  plan_capacity(tasks);
}

// The paper's 5 to 8 lanes are "depending on ingested communication profile".
void FlowApplications::plan_lanes(Tasks& tasks) {
  lanes_.resize(paper_applications.size());
  for (std::size_t a = 0; a < lanes_.size(); ++a)
    tasks.add(fmt::format("lanes/{}", paper_applications[a].name), {&lanes_[a]}, [this, a] {
      const Machines& m = machines_.front();
      const PaperApplication& app = paper_applications[a];
      const Profile profile = make_profile(app.name, app.hosts());
      const std::vector<Run> runs = {{&profile, m.placement(parx, app.hosts(), options_.seed), {}}};
      lanes_[a] = taken(route_parx(m.hyperx, demands_of(runs, m.hyperx.fabric.hosts()))).lanes;
    });
}

void FlowApplications::plan_alone(Tasks& tasks) {
  for (const PaperApplication& app : paper_applications)
    alone_.push_back(
        make_panel(std::string(app.name), as_texts(counts_of(app, options_.quick)), combination_names()));
  for (std::size_t a = 0; a < alone_.size(); ++a) {
    const auto counts = counts_of(paper_applications[a], options_.quick);
    for (std::size_t k = 0; k < alone_[a].cells.size(); ++k) {
      Figure::Samples& cell = alone_[a].cells[k];
      const u32 hosts = counts[k / combinations], i = static_cast<u32>(k % combinations);
      cell.resize(machines_.size());
      for (std::size_t draw = 0; draw < cell.size(); ++draw)
        tasks.add(fmt::format("alone/{}/{}/{}/{}", alone_[a].title, hosts, i, draw), {&cell[draw]},
                  [this, a, hosts, i, draw, &cell] {
                    const Machines& m = machines_[draw];
                    const Profile profile = make_profile(paper_applications[a].name, hosts);
                    std::vector<Run> runs = {{&profile, m.placement(i, hosts, options_.seed + draw), {}}};
                    const Routing routing = routing_for(m, i, runs);
                    time_alone(runs[0], m.topology(i).fabric, routing, i);
                    cell[draw] = runs[0].seconds();
                  });
    }
  }
}

void FlowApplications::report_lanes(Reproduction& out) const {
  const Machines& m = machines_.front();
  std::vector<std::vector<std::string>> rows = {{"PARX", "none", std::to_string(m.parx.lanes)}};
  for (std::size_t a = 0; a < paper_applications.size(); ++a)
    rows.push_back({"PARX", std::string(paper_applications[a].name), fmt::format("{:.0f}", lanes_[a])});
  rows.push_back({"DFSSSP", "none", std::to_string(m.dfsssp.lanes)});
  out.show("Lanes on the HyperX with 15 cables missing (paper: PARX 5 to 8, DFSSSP 3)",
           {"routing", "demands of", "lanes"}, std::move(rows));
  std::vector<double> lanes = lanes_;
  lanes.push_back(m.parx.lanes);
  const auto [least, maximum] = std::minmax_element(lanes.begin(), lanes.end());
  out.ordering("parx.lanes", *least >= 5 && *maximum <= 8,
               "our layering brings paths back to lanes that they fit on",
               fmt::format("{} to {}", *least, *maximum));
}

void FlowApplications::report(Reproduction& out) const {
  out.assume(
      "applications: profiles of docs/applications.md; 7 to 672 hosts, or 4 to 512 where powers of two are "
      "wanted; repeats are draws of cables and hosts");
  out.assume(
      "fourteen jobs: a run is as many repeats of a profile as take 2 min on the baseline (the paper: 1 to "
      "5); at random moments of their runs the rates of all messages under way say how much each "
      "is slowed");
  report_lanes(out);
  judge_apps(out, alone_);
  show_applications(out, alone_, machines_);
  report_capacity(out);
}

}  // namespace banyan::papers::domke19
