// The three libraries side by side.
#include <fmt/format.h>

#include "qsnet/bench.hpp"
#include "qsnet/levels.hpp"

namespace banyan::qsnet {
namespace {

struct Curve {
  Level level;
  u32 placement;
  const char *latency, *one_way, *both_ways;  // the paper's
};
constexpr Curve curves[] = {{Level::elan3lib, 0, "2.4", "335", "270"},
                            {Level::elan3lib, 1, "", "275", ""},
                            {Level::elan3lib, 3, "3.7", "200", "140"},
                            {Level::tports, 0, "", "335", ""},
                            {Level::tports, 1, "", "275", ""},
                            {Level::tports, 3, "5", "200", "140"},
                            {Level::mpi, 3, "5", "200", ""}};

BenchTable table_of(const BenchSetting& s, const char* title, auto&& cell, auto&& paper) {
  BenchTable table{title, {"bytes"}, {}};
  for (const Curve& c : curves)
    table.columns.push_back(
        fmt::format("{}, {}", level_names[static_cast<std::size_t>(c.level)], placements[c.placement].name));
  const std::vector<u64> sizes = message_sizes(s);
  Progress progress(title, sizes.size() * std::size(curves));
  for (const u64 bytes : sizes) {
    std::vector<std::string> row = {fmt::format("{}", bytes)};
    for (const Curve& c : curves) {
      row.push_back(cell(c, bytes));
      progress.advance();
    }
    table.rows.push_back(std::move(row));
  }
  table.rows.push_back({"paper"});
  for (const Curve& c : curves) table.rows.back().emplace_back(paper(c));
  return table;
}

std::vector<BenchTable> levels(const BenchSetting& s) {
  const auto latency = [&](const Curve& c, u64 bytes) {
    const Ping ping = ping_of(placements[c.placement], bytes);
    return fmt::format("{:.2f}", in_us(level_latency(s.routes, s.parameters, c.level, ping)));
  };
  const auto bandwidth = [&](bool both_ways) {
    return [&s, both_ways](const Curve& c, u64 bytes) {
      const Ping ping = ping_of(placements[c.placement], bytes, both_ways);
      return fmt::format("{:.1f}", level_bandwidth(s.routes, s.parameters, c.level, ping));
    };
  };
  return {table_of(s, "Latency, us", latency, [](const Curve& c) { return c.latency; }),
          table_of(s, "Bandwidth one way, MB/s", bandwidth(false), [](const Curve& c) { return c.one_way; }),
          table_of(s, "Bandwidth both ways, MB/s each way", bandwidth(true),
                   [](const Curve& c) { return c.both_ways; })};
}

}  // namespace

Bench levels_bench() {
  return {"levels", "petrini01, Figures 13 to 16", "Elan3lib, Tports and MPI-like calls", levels};
}

}  // namespace banyan::qsnet
