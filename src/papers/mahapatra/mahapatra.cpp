// The judge of mahapatra: its worked example, both theorems, Figure 4 (loads of random permutations), Table 1
// and Figure 5 (uniform traffic, flit by flit).
#include <fmt/format.h>

#include <cmath>

#include "engines/engine.hpp"
#include "papers/paper.hpp"
#include "routing/paths.hpp"

namespace banyan::papers {
namespace {

std::vector<u64> path_numbers(const Topology& t, std::string_view engine) {
  const Routing routing = std::get<Routing>(route(t, engine));
  std::vector<u64> out;
  for (const RoutedPath& path : paths(t.fabric, routing, Nic{0}, Nic{63}))
    out.push_back(path_index(t, path).value_or(~u64{0}));
  return out;
}

void worked_example(Reproduction& out) {
  const Topology t = make_topology("XGFT(3; 4,4,4; 1,4,2)");
  out.ordering("example.shift1", path_numbers(t, "shift1:3") == std::vector<u64>{7, 0, 1});
  out.ordering("example.disjoint", path_numbers(t, "disjoint:4") == std::vector<u64>{7, 1, 3, 5});
}

// --- Figure 4

struct LoadCurve {
  std::string tree;
  u32 levels, max_paths;
  std::vector<u32> k;
  std::vector<double> shift1, disjoint, random, optimum;  // by k
};

LoadCurve load_curve(const StudyRows& rows, const std::string& tree, u32 levels, u32 max_paths, u32 seeds) {
  LoadCurve out{tree, levels, max_paths, {}, {}, {}, {}, {}};
  const auto load = [&](const std::string& engine) {
    return rows.row("figure 4", {tree, engine}, "max_load");
  };
  std::vector<u32> ks = {1, 2, 4, 8};
  for (u32 k = 16; k < max_paths; k *= 3) ks.push_back(k);
  std::erase_if(ks, [&](u32 k) { return k >= max_paths; });
  ks.push_back(max_paths);
  for (const u32 k : ks) {
    out.k.push_back(k);
    out.shift1.push_back(load(fmt::format("shift1:paths={}", k)));
    out.disjoint.push_back(load(fmt::format("disjoint:paths={}", k)));
    double sum = 0;
    for (u32 seed = 1; seed <= seeds; ++seed) sum += load(fmt::format("random:paths={},seed={}", k, seed));
    out.random.push_back(sum / seeds);
    out.optimum.push_back(load("umulti"));
  }
  return out;
}

void show(Reproduction& out, const LoadCurve& curve) {
  std::vector<std::vector<std::string>> rows;
  const auto text = [](double x) { return fmt::format("{:.3f}", x); };
  for (std::size_t i = 0; i < curve.k.size(); ++i)
    rows.push_back({std::to_string(curve.k[i]), text(curve.shift1[i]), text(curve.disjoint[i]),
                    text(curve.random[i]), text(curve.optimum[i])});
  out.show("Figure 4, mean maximum load of random permutations, " + curve.tree,
           {"K", "shift-1", "disjoint", "random", "optimum"}, std::move(rows));
}

// Falls, up to the width of the confidence interval.
bool falls(const std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] > 1.01 * values[i - 1]) return false;
  return true;
}

void figure4(Reproduction& out, const StudyRows& rows, bool quick) {
  std::vector<LoadCurve> curves;
  const u32 seeds = quick ? 1 : 5;
  for (const u32 half : quick ? std::vector<u32>{4, 8} : std::vector<u32>{4, 8, 12}) {
    curves.push_back(
        load_curve(rows, fmt::format("XGFT(2; {0},{1}; 1,{0})", half, 2 * half), 2, half, seeds));
    if (quick && half > 4) continue;
    curves.push_back(load_curve(rows, fmt::format("XGFT(3; {0},{0},{1}; 1,{0},{0})", half, 2 * half), 3,
                                half * half, seeds));
  }
  bool same = true, improves = true, optimal = true, small = true, disjoint = true;
  u32 shift1_above = 0, compared = 0;
  for (const LoadCurve& c : curves) {
    show(out, c);
    improves &= falls(c.shift1) && falls(c.disjoint) && falls(c.random);
    for (const auto* last : {&c.shift1, &c.disjoint, &c.random})
      optimal &= std::abs(last->back() - c.optimum.back()) < 1e-9 * c.optimum.back();
    for (std::size_t i = 0; i + 1 < c.k.size(); ++i) {
      if (c.levels == 2) {
        same &= c.shift1[i] == c.disjoint[i];
        if (c.k[i] <= c.max_paths / 4) small &= c.disjoint[i] < c.random[i] && c.shift1[i] < c.random[i];
      } else {
        disjoint &= c.disjoint[i] < c.random[i];
        if (c.k[i] == 1) continue;
        ++compared;
        shift1_above += c.random[i] < c.shift1[i];
      }
    }
  }
  out.ordering("fig4.same", same);
  out.ordering("fig4.improves", improves, guess("steps of less than the 1 % to which means are known"));
  out.ordering("fig4.optimum", optimal);
  const std::string close_means = guess("means are known to 1 %, and these are closer");
  out.ordering("fig4.small", small, close_means);
  out.ordering("fig4.disjoint", disjoint, close_means);
  out.ordering("fig4.shift1", 2 * shift1_above > compared, close_means,
               fmt::format("random is better in {} of {} cases", shift1_above, compared));
}

// --- Table 1 and Figure 5

struct Cell {
  const char* engine;
  u32 paths;
};
constexpr Cell table1_cells[] = {{"dmodk", 1},    {"random", 1},   {"shift1", 2},   {"random", 2},
                                 {"disjoint", 2}, {"shift1", 4},   {"random", 4},   {"disjoint", 4},
                                 {"shift1", 8},   {"random", 8},   {"disjoint", 8}, {"shift1", 16},
                                 {"random", 16},  {"disjoint", 16}};

std::string engine_of(const Cell& cell) {
  return cell.engine == std::string_view("dmodk") ? "dmodk"
                                                  : fmt::format("{}:paths={}", cell.engine, cell.paths);
}
std::string id_of(const Cell& cell) { return fmt::format("table1.{}.{}", cell.engine, cell.paths); }

// The most that is accepted at any offered load, in percent, by statement.
std::map<std::string, Interval> throughputs(const StudyRows& rows, std::string_view writers) {
  std::map<std::string, Interval> out;
  for (const Cell& cell : table1_cells)
    for (const StoredPoint& point : rows.all())
      if (point.point.starts_with("table 1") && point.engine == engine_of(cell) &&
          point.point.find(writers) != std::string::npos)
        for (const Row& row : point.rows)
          if (row.metric == "accepted" && 100 * row.value > out[id_of(cell)].mean)
            out[id_of(cell)] = {100 * row.value, std::isfinite(row.half_width) ? 100 * row.half_width : 0};
  return out;
}

void show_table1(Reproduction& out, const std::map<std::string, Interval>& fitted,
                 const std::map<std::string, Interval>& literal) {
  std::vector<std::vector<std::string>> rows;
  double fitted_squares = 0, literal_squares = 0;
  for (const Cell& cell : table1_cells) {
    const std::string id = id_of(cell);
    const double theirs = *out.statement(id).theirs;
    const double f = fitted.at(id).mean, l = literal.at(id).mean;
    fitted_squares += (f - theirs) * (f - theirs);
    literal_squares += (l - theirs) * (l - theirs);
    rows.push_back({cell.engine, std::to_string(cell.paths), fmt::format("{:.2f}", theirs),
                    fmt::format("{:.2f}", f), fmt::format("{:+.2f}", f - theirs), fmt::format("{:.2f}", l),
                    fmt::format("{:+.2f}", l - theirs)});
  }
  const auto distance = [](double squares) {
    return fmt::format("{:.2f}", std::sqrt(squares / static_cast<double>(std::size(table1_cells))));
  };
  rows.push_back({"root mean square", "", "", "", distance(fitted_squares), "", distance(literal_squares)});
  out.show("Table 1, throughput in %: theirs, and ours in two readings of the text",
           {"routing", "K", "theirs", "fitted", "distance", "literal", "distance"}, std::move(rows));
}

// `reading`: what the ids of its statements begin with.
void judge_table1(Reproduction& out, const std::map<std::string, Interval>& ours,
                  const std::string& reading) {
  const auto at = [&](const char* engine, u32 k) { return ours.at(id_of({engine, k})); };
  const bool is_literal = !reading.empty();
  const std::string cell_why =
      is_literal
          ? tested(
                "back-pressure from ejection and one writer a queue cost most of it: the fitted reading "
                "differs in these and in the choice of paths")
          : guess("the text leaves arbitration and the order of packets on paths open");
  const auto id = [&](std::string_view name) { return reading + std::string(name); };
  for (const Cell& cell : table1_cells) out.number(id(id_of(cell)), ours.at(id_of(cell)), cell_why);
  Holds best = Holds::yes, below = Holds::yes, rises = Holds::yes;
  const auto also = [](Holds& so_far, Holds more_of) { so_far = all_hold({so_far, more_of}); };
  for (const u32 k : {2u, 4u, 8u, 16u}) {
    also(best, is_more(at("disjoint", k), at("shift1", k)));
    also(best, is_more(at("disjoint", k), at("random", k)));
    if (k >= 8) also(below, is_more(at("random", k), at("shift1", k)));
    also(rises, is_more(at("random", k), at("random", k / 2)));
    if (k > 2) also(rises, is_more(at("disjoint", k), at("disjoint", k / 2)));
  }
  const std::string same_paths =
      known("with 16 paths all three heuristics use the same ones, and differ only in the order of packets");
  const auto listed = [&](const char* engine) {
    return fmt::format("{} with 2, 4, 8, 16 paths: {:.2f}, {:.2f}, {:.2f}, {:.2f}", engine,
                       at(engine, 2).mean, at(engine, 4).mean, at(engine, 8).mean, at(engine, 16).mean);
  };
  out.ordering(id("table1.disjoint_best"), best, same_paths, listed("disjoint"));
  const auto both = [&](u32 k) {
    return fmt::format("{:.2f} and {:.2f}", at("shift1", k).mean, at("random", k).mean);
  };
  const std::string shared = guess(
      "shift-1's paths share all but the last hops of the way up: what queues for one queues for the other");
  out.ordering(id("table1.dmodk_1"), is_more(at("dmodk", 1), at("random", 1)), shared,
               fmt::format("{:.2f} and {:.2f}", at("dmodk", 1).mean, at("random", 1).mean));
  out.ordering(id("table1.shift1_2"), is_more(at("shift1", 2), at("random", 2)), shared, both(2));
  out.ordering(id("table1.shift1_4"), is_near(at("shift1", 4), at("random", 4), 2), shared, both(4));
  out.ordering(id("table1.shift1_8"), below, same_paths, both(8) + ", " + both(16));
  out.ordering(id("table1.rises"), rises, same_paths, listed("disjoint") + "; " + listed("random"));
  out.ordering(id("table1.falls"), is_more(at("shift1", 8), at("shift1", 16)), same_paths, listed("shift1"));
  for (const u32 k : {2u, 4u})
    for (const char* other : {"shift1", "random"}) {
      const Interval over = ratio(at("disjoint", k), at(other, k));
      out.number(id(fmt::format("gain.{}.{}", other, k)), {100 * (over.mean - 1), 100 * over.half_width},
                 known("it follows from the cells"));
    }
}

// Section 5: beyond saturation the throughput decreases. Accepted at full load beside the most at any load.
// Table 1 as curves over K, with the paper's cells in it.
void draw_table1(Reproduction& out, const std::map<std::string, Interval>& ours, std::string_view reading) {
  ShownTable table{fmt::format("Table 1, {} reading: throughput in % by number of paths", reading),
                   {"K", "d-mod-k", "shift-1", "random", "disjoint"},
                   {}};
  const std::pair<const char*, const char*> lines[] = {
      {"dmodk", "d-mod-k"}, {"shift1", "shift-1"}, {"random", "random"}, {"disjoint", "disjoint"}};
  for (const u32 k : {1u, 2u, 4u, 8u, 16u}) {
    std::vector<std::string> row = {std::to_string(k)};
    for (const auto& [engine, line] : lines) {
      const auto found = ours.find(id_of({engine, k}));
      row.push_back(found == ours.end() ? "" : fmt::format("{:.2f}", found->second.mean));
      if (found == ours.end()) continue;
      const double theirs = *out.statement(found->first).theirs;
      table.theirs.push_back({double(k), double(k), theirs, theirs, fmt::format("{:g} %", theirs), line});
    }
    table.rows.push_back(std::move(row));
  }
  const std::string prefix = reading == "fitted" ? "" : "literal.";
  for (const char* id : {"table1.disjoint_best", "table1.dmodk_1", "table1.shift1_2", "table1.shift1_4",
                         "table1.shift1_8", "table1.rises", "table1.falls", "gain.shift1.2", "gain.random.2",
                         "gain.shift1.4", "gain.random.4", "beyond"})
    table.statements.push_back(prefix + id);
  out.show(std::move(table));
}

void judge_beyond(Reproduction& out, const StudyRows& rows) {
  std::vector<std::vector<std::string>> shown;
  const auto fall = [&](const Cell& cell, std::string_view reading) {
    double most = 0, full = 0;
    for (const StoredPoint& point : rows.all()) {
      if (!point.point.starts_with("table 1") || point.engine != engine_of(cell) ||
          point.point.find(reading) == std::string::npos)
        continue;
      most = std::max(most, row_of(point, "accepted"));
      if (point.point.find("load=1 ") != std::string::npos || point.point.ends_with("load=1"))
        full = row_of(point, "accepted");
    }
    return std::pair(100 * most, 100 * full);
  };
  const auto judge_reading = [&](std::string_view id, std::string_view reading, std::string_view name) {
    u32 fallen = 0;
    for (const Cell& cell : table1_cells) {
      const auto [most, full] = fall(cell, reading);
      fallen += full < 0.98 * most;
      shown.push_back({std::string(name), cell.engine, std::to_string(cell.paths),
                       fmt::format("{:.2f}", most), fmt::format("{:.2f}", full)});
    }
    out.ordering(
        id, 2 * fallen > std::size(table1_cells),
        tested("finite ejection queues and one writer a queue (the literal reading) do not make it fall "
               "either, and allocation in stages gives the same bits: an input queue with one lane asks for "
               "one output at a time; uniform traffic has no hot spot from which a tree could saturate"),
        fmt::format("at full load {} of {} cells accept less than 98 % of their maximum", fallen,
                    std::size(table1_cells)));
  };
  judge_reading("beyond", "writers=8", "fitted");
  judge_reading("literal.beyond", "writers=1", "literal");
  out.show("Beyond saturation: the most that is accepted, and what is at full load, in %",
           {"reading", "routing", "K", "most", "at full load"}, std::move(shown));
}

void figure5(Reproduction& out, const StudyRows& found) {
  const Cell lines[] = {{"dmodk", 1}, {"disjoint", 4}, {"disjoint", 8}};
  const double loads[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.45};
  double delay[3][std::size(loads)];
  for (std::size_t line = 0; line < 3; ++line)
    for (std::size_t i = 0; i < std::size(loads); ++i)
      delay[line][i] = found.row("figure 5", {engine_of(lines[line]), fmt::format("load={}", loads[i])},
                                 "message_latency");
  std::vector<std::vector<std::string>> rows;
  bool below = true;
  for (std::size_t i = 0; i < std::size(loads); ++i) {
    if (loads[i] >= 0.2) below &= delay[1][i] < delay[0][i] && delay[2][i] < delay[0][i];
    std::vector<std::string> row = {fmt::format("{:.2f}", loads[i])};
    for (const auto& line : delay) row.push_back(fmt::format("{:.1f}", line[i]));
    rows.push_back(std::move(row));
  }
  out.show({"Figure 5, mean message delay in cycles against offered load",
            {"load", "d-mod-k", "disjoint(4)", "disjoint(8)"},
            std::move(rows),
            {},
            {"fig5.below_dmodk", "fig5.four_below_eight"}});
  out.ordering("fig5.below_dmodk", below, guess("buffers are larger or the switch is faster than theirs"));
  out.ordering("fig5.four_below_eight", delay[1][0] < delay[2][0] && delay[1][1] < delay[2][1],
               guess("at a low load the two differ by less than a cycle, which decides nothing"),
               fmt::format("at a load of 5 %: {:.2f} and {:.2f} cycles", delay[1][0], delay[2][0]));
}

void judge_mahapatra(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume(
      "Figure 4: 1000 permutations, doubled until the half-width of the 99 % interval is under 1 % of the "
      "mean; random averaged over five seeds" +
      std::string(options.quick ? " (quick: 500 permutations, one seed, smaller trees)" : ""));
  out.assume(
      "Table 1 and Figure 5: virtual cut-through, one lane, packets of 10 flits, messages of 10 packets, "
      "Poisson arrivals, input and output buffers of 4 packets, one cycle for link and switch each, uniform "
      "traffic to everyone but oneself");
  out.assume(
      "fitted reading: up to 8 inputs write one output's queue at once, ejection has no back-pressure, "
      "packet "
      "p of a message takes path p mod K; fitted to the table as a whole, not to its cells");
  out.assume("literal reading: one writer a queue, finite buffers also at the ejection port, paths in turn");
  worked_example(out);
  out.number("theorem1", rows.row("theorem 1", {"oblivious"}, "oblivious_ratio"));
  out.number("theorem2", rows.row("theorem 2", {"oblivious"}, "oblivious_ratio"));
  out.number("theorem1.large", rows.row("theorem 1, large", {"oblivious"}, "oblivious_ratio"));
  out.number("theorem2.large", rows.row("theorem 2, large", {"oblivious"}, "oblivious_ratio"));
  figure4(out, rows, options.quick);
  const auto fitted = throughputs(rows, "writers=8"), literal = throughputs(rows, "writers=1");
  show_table1(out, fitted, literal);
  draw_table1(out, fitted, "fitted");
  draw_table1(out, literal, "literal");
  judge_table1(out, fitted, "");
  judge_table1(out, literal, "literal.");
  judge_beyond(out, rows);
  figure5(out, rows);
}

}  // namespace

Paper mahapatra_paper() {
  return {"mahapatra",
          "Mahapatra, Yuan, Nienaber: Limited Multi-path Routing on Extended Generalized Fat-trees",
          judge_mahapatra};
}

}  // namespace banyan::papers
