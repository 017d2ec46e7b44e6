// Coll et al. 2001: what the paper leaves open, answered otherwise, one question at a time.
#include "study/coll01.hpp"

namespace banyan::study::coll01 {

void Figures::choices() {
  using enum RailVariant;
  const Line short_hybrid{"hybrid, 4 KB", "hybrid:4096", 0};
  const std::vector<Line> lines = {basic, local, dynamic, dynamic_striped, short_hybrid};
  std::vector<std::string> columns = {"otherwise"};
  for (const Line& line : lines) columns.push_back(line.name);
  columns.emplace_back("basic, 7 rails");
  columns.emplace_back("basic, latency");
  std::vector<std::vector<std::string>> rows;
  for (const RailVariant variant : {none, queued_sends, whole_packets, full_bus, long_bursts, fast_processor,
                                    slow_processor, long_wait}) {
    std::vector<std::string> row = {std::string(name(variant))};
    for (const Line& line : lines) row.push_back(percent(at(32, 4, line, 32, 0.5, variant).accepted));
    row.push_back(percent(at(32, 7, basic, 32, 0.5, variant).accepted));
    row.push_back(fmt::format("{:.0f}", at(32, 4, basic, 32, 0.15, variant).latency));
    rows.push_back(std::move(row));
  }
  out_.show(
      "What the paper leaves open, answered otherwise: accepted bandwidth in %, 32 hosts, 4 rails, 32 KB, "
      "load 0.5",
      std::move(columns), std::move(rows));
}

}  // namespace banyan::study::coll01
