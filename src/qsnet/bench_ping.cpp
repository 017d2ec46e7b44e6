// Benchmarks of two hosts: pings one way and both ways for the five placements of buffers, and inside one
// SMP.
#include <fmt/format.h>

#include "qsnet/bench.hpp"
#include "qsnet/ping.hpp"

namespace banyan::qsnet {
namespace {

using Row = std::vector<std::string>;

// What the text of petrini01 says of a placement; 0: nothing.
struct Published {
  double latency, bandwidth;
};
constexpr Published one_way[] = {{2.4, 335}, {0, 275}, {0, 200}, {3.7, 200}, {0, 150}};
constexpr Published two_ways[] = {{2.8, 270}, {0, 0}, {0, 0}, {4.1, 140}, {0, 75}};

std::string text(double value, const char* format) {
  return value > 0 ? fmt::format(fmt::runtime(format), value) : "";
}

std::vector<BenchTable> pings(const BenchSetting& s, std::span<const Placed> placed, bool both_ways,
                              std::span<const Published> published) {
  BenchTable latency{"Latency, us", {"bytes"}, {}}, bandwidth{"Bandwidth, MB/s each way", {"bytes"}, {}};
  Row paper_latency = {"paper, to 64"}, paper_bandwidth = {"paper, peak"};
  for (std::size_t i = 0; i < placed.size(); ++i) {
    latency.columns.emplace_back(placed[i].name);
    bandwidth.columns.emplace_back(placed[i].name);
    paper_latency.push_back(text(published[i].latency, "{:.1f}"));
    paper_bandwidth.push_back(text(published[i].bandwidth, "{:.0f}"));
  }
  const std::vector<u64> sizes = message_sizes(s);
  Progress progress("pings", sizes.size() * placed.size());
  for (const u64 bytes : sizes) {
    Row latencies = {fmt::format("{}", bytes)}, bandwidths = latencies;
    for (const Placed& p : placed) {
      const Ping ping = ping_of(p, bytes, both_ways);
      latencies.push_back(fmt::format("{:.2f}", in_us(ping_latency(s.routes, s.parameters, ping))));
      bandwidths.push_back(fmt::format("{:.1f}", ping_bandwidth(s.routes, s.parameters, ping)));
      progress.advance();
    }
    latency.rows.push_back(latencies);
    bandwidth.rows.push_back(bandwidths);
  }
  latency.rows.push_back(paper_latency);
  bandwidth.rows.push_back(paper_bandwidth);
  return {latency, bandwidth};
}

std::vector<BenchTable> ping(const BenchSetting& s) { return pings(s, placements, false, one_way); }
std::vector<BenchTable> bidirectional(const BenchSetting& s) { return pings(s, placements, true, two_ways); }

std::vector<BenchTable> smp(const BenchSetting& s) {
  const std::span inside(placements + 4, 1);
  auto tables = pings(s, inside, false, std::span(one_way + 4, 1));
  tables[0].title = "One way: latency, us";
  tables[1].title = "One way: bandwidth, MB/s";
  for (BenchTable& table : pings(s, inside, true, std::span(two_ways + 4, 1))) {
    table.title = "Both ways: " + table.title;
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

Bench ping_bench() {
  return {"ping", "petrini01, Figure 8", "one way, the five placements of buffers", ping};
}
Bench bidirectional_bench() {
  return {"bidirectional", "petrini01, Figure 9", "both ways at once, the five placements of buffers",
          bidirectional};
}
Bench smp_bench() {
  return {"smp", "petrini01, Figures 8 and 9", "two processes of one host, through its card", smp};
}

}  // namespace banyan::qsnet
