// Benchmarks of many hosts: hot spots and the total exchange.
#include <fmt/format.h>

#include "qsnet/bench.hpp"
#include "qsnet/collective.hpp"
#include "qsnet/ping.hpp"

namespace banyan::qsnet {
namespace {

std::vector<BenchTable> hotspot(const BenchSetting& s, Access access) {
  const u64 bytes = std::min<u64>(s.largest, 65536);
  BenchTable table{fmt::format("Bandwidth of all together, MB/s; messages of {} bytes", bytes),
                   {access == Access::read ? "readers" : "writers", "together", "each", "paper"},
                   {}};
  constexpr u32 messages = 8;
  u64 packets = 0;
  for (const u32 n : host_counts(1, s.hosts - 1))
    packets += hotspot_packets(s.parameters, access, n, bytes, messages);
  Progress progress("packets", packets);
  for (const u32 n : host_counts(1, s.hosts - 1)) {
    const double all = hotspot_bandwidth(s.routes, s.parameters, access, n, bytes, messages, &progress);
    const char* paper = access == Access::read || n == 1 ? "200" : "275";
    table.rows.push_back({fmt::format("{}", n), fmt::format("{:.1f}", all), fmt::format("{:.1f}", all / n),
                          n < 8 ? paper : ""});
  }
  return {table};
}

std::vector<BenchTable> read_hotspot(const BenchSetting& s) { return hotspot(s, Access::read); }
std::vector<BenchTable> write_hotspot(const BenchSetting& s) { return hotspot(s, Access::write); }

// As large as 128 MB in all allow, or the smallest asked for: larger exchanges only repeat themselves.
std::vector<u64> exchange_sizes(const BenchSetting& s) {
  constexpr u64 maximum = u64{128} << 20;
  std::vector<u64> out;
  for (const u64 bytes : message_sizes(s)) {
    if (bytes > std::max<u64>(64, s.smallest) && bytes * s.hosts * s.hosts > maximum) break;
    if (bytes > std::max<u64>(1, s.smallest) && bytes < s.parameters.block_bytes)
      continue;  // a block is whole
    out.push_back(bytes);
  }
  return out;
}

std::vector<BenchTable> exchange(const BenchSetting& s) {
  const Ping both{.bytes = 1 << 18, .both_ways = true};
  const double limit = ping_bandwidth(s.routes, s.parameters, both);
  BenchTable table{
      fmt::format("Total exchange of {} hosts; bound: S (N - 1) / B with B = {:.1f} MB/s", s.hosts, limit),
      {"bytes", "us", "bound, us", "MB/s each", "paper, us", "paper, MB/s"},
      {}};
  const std::vector<u64> sizes = exchange_sizes(s);
  u64 packets = 0;
  for (const u64 bytes : sizes) packets += exchange_packets(s.parameters, s.hosts, bytes);
  Progress progress("packets", packets);
  for (const u64 bytes : sizes) {
    const Time time = exchange_time(s.routes, s.parameters, s.hosts, bytes, &progress);
    const bool is_papers = s.hosts == 8;
    table.rows.push_back({fmt::format("{}", bytes), fmt::format("{:.2f}", in_us(time)),
                          fmt::format("{:.2f}", in_us(exchange_bound(s.hosts, bytes, limit))),
                          fmt::format("{:.1f}", static_cast<double>(bytes * (s.hosts - 1)) / in_us(time)),
                          is_papers && bytes > 0 && bytes <= 256 ? "20" : "",
                          is_papers && bytes == 1 << 18 ? "130" : ""});
  }
  return {table};
}

}  // namespace

Bench read_hotspot_bench() {
  return {"read-hotspot", "petrini01, Figure 10", "many read from one host", read_hotspot};
}
Bench write_hotspot_bench() {
  return {"write-hotspot", "petrini01, Figure 11", "many write to one host", write_hotspot};
}
Bench exchange_bench() {
  return {"exchange", "petrini01, Figure 12", "everyone sends to everyone, behind a barrier", exchange};
}

}  // namespace banyan::qsnet
