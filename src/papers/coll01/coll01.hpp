// The judge of coll01: curves of simulated points, tables like the paper's, and what each statement says of
// them.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "papers/paper.hpp"

namespace banyan::papers::coll01 {

struct Curve {
  std::string name, policy;
  double stripe = 0;
};
inline const Curve basic{"basic", "basic", 0}, local{"local-dynamic", "local-dynamic", 0},
    dynamic{"dynamic", "dynamic", 0}, local_striped{"local-dynamic, striped", "local-dynamic", 1},
    dynamic_striped{"dynamic, striped", "dynamic", 1};
inline const std::vector<Curve> five = {basic, local, dynamic, local_striped, dynamic_striped};

struct RailResult {
  double offered;
  Interval accepted;
  Interval latency;  // in cycles of the paper
  double inside;     // of it, the time of a packet in the network
  bool saturated;
};

class Figures {
 public:
  Figures(Reproduction& out, const StudyRows& rows, bool quick)
      : out_(out), rows_(rows), quick_(quick), max_hosts_(quick ? 32 : 128) {}

  void all();

 private:
  // --- what was simulated
  // `other`: the option that answers otherwise what the paper leaves open, such as "bus=full".
  RailResult at(u32 hosts, u32 rail_count, const Curve& line, u32 kb, double load,
                const std::string& other = "") const;
  RailResult at(const Curve& line, u32 kb, double load) {  // most hosts, four rails
    return at(max_hosts_, 4, line, kb, load);
  }
  Interval latency(const Curve& line, u32 kb, double load) { return at(line, kb, load).latency; }
  std::vector<double> loads() const;
  Interval peak(const Curve& line, u32 kb);  // the most accepted at any of them
  // The same from a few high loads, for the figures that only show the maximum.
  Interval maximum(u32 hosts, u32 rail_count, const Curve& line, u32 kb);

  // --- how it is shown: lines against what varies
  template <class X, class F>
  void show(const std::string& title, std::string_view axis, const std::vector<X>& xs,
            const std::vector<Curve>& lines, F&& cell, std::vector<std::string> statements = {},
            std::vector<ShownTable::Mark> theirs = {}, bool is_throughput = false);
  // Accepted bandwidth and latency against offered load: two figures.
  void curves(u32 first_figure, std::string_view what, const std::vector<Curve>& lines, u32 kb,
              std::vector<std::string> of_bandwidth, std::vector<std::string> of_latency);
  // A statement that is no number, what ours are, and why, if it does not hold.
  void holds(std::string_view id, Holds does, std::string found, std::string why = "") {
    out_.ordering(id, does, std::move(why), std::move(found));
  }
  void more(std::string_view id, const Interval& a, const Interval& b, std::string why = "");  // a > b

  // --- coll01_load.cpp
  void bandwidth_and_latency();  // Figures 3 to 6
  void striping();
  void sizes();  // Figure 7
  // --- coll01_scale.cpp
  void nodes();          // Figure 8
  void rails_by_size();  // Figure 9
  void rails_maximum();  // Figure 10
  void rails_latency();  // Figure 11
  // --- coll01_hybrid.cpp
  void saturation();  // Figure 12
  Interval saturation_point(const Curve& line, u32 kb);
  void hybrid();  // Figures 13 to 16
  double high_load(const std::vector<Curve>& lines, u32 kb);
  void hybrid_latency(const std::vector<Curve>& lines, bool striped);
  Interval hybrid(bool striped);  // the most that it accepted
  // --- coll01_choices.cpp
  void static_rails();  // Section 1
  void choices();       // what the paper leaves open
  void readings();      // of the four sentences that can be read in two ways

  Reproduction& out_;
  const StudyRows& rows_;
  bool quick_;
  u32 max_hosts_;  // of the figures that have 128
};

template <class X, class F>
void Figures::show(const std::string& title, std::string_view axis, const std::vector<X>& xs,
                   const std::vector<Curve>& lines, F&& cell, std::vector<std::string> statements,
                   std::vector<ShownTable::Mark> theirs, bool is_throughput) {
  std::vector<std::string> columns = {std::string(axis)};
  for (const Curve& line : lines) columns.push_back(line.name);
  std::vector<std::vector<std::string>> rows;
  for (const X& x : xs) {
    std::vector<std::string> row = {fmt::format("{}", x)};
    for (const Curve& line : lines) row.push_back(cell(line, x));
    rows.push_back(std::move(row));
  }
  out_.show(
      {title, std::move(columns), std::move(rows), std::move(theirs), std::move(statements), is_throughput});
}

inline std::string percent(double x) { return fmt::format("{:.1f}", 100 * x); }
inline std::string percent(const Interval& x) { return percent(x.mean); }
inline Interval maximum_of(const Interval& a, const Interval& b) { return a.mean > b.mean ? a : b; }
// By how many per cent a is more than b.
inline Interval gain_over(const Interval& a, const Interval& b) {
  const Interval r = ratio(a, b);
  return {100 * (r.mean - 1), 100 * r.half_width};
}

void protocol(
    Reproduction& out);  // the bound of static allocation, and every interleaving of the dynamic one

}  // namespace banyan::papers::coll01
