// Sections 5.1 and 5.2 of petrini01: switches and barriers, and both on larger trees.
#include <fmt/format.h>

#include <cmath>

#include "qsnet/barrier.hpp"
#include "qsnet/collective.hpp"
#include "qsnet/hops.hpp"
#include "study/petrini01.hpp"

namespace banyan::study {
namespace {

using namespace qsnet;

void hops(Reproduction& out, const QsnetFabric& eight, const QsnetFabric& thousand) {
  const auto near = hop_latencies(eight.routes, eight.parameters);
  const auto far = hop_latencies(thousand.routes, thousand.parameters);
  const HopLatency &one = near.front(), &three = near.back();
  out.number("hop", in_us(three.put - one.put) * 1000 / 2 / (three.switches - one.switches));
  out.number("hop.switches", far.back().switches);
  out.number("hop.worst", in_us(far.back().network));
  out.ordering("hop.interface", far.front().put - 2 * far.front().network >= from_us(1));
  out.ordering("hop.location", 2 * far.back().put < 3 * far.front().put);
  std::vector<std::vector<std::string>> rows;
  for (const HopLatency& hop : far)
    rows.push_back({fmt::format("{}", hop.switches), fmt::format("{:.0f}", in_us(hop.network) * 1000),
                    fmt::format("{:.3f}", in_us(hop.put))});
  out.show("Latency in the tree of 1024 hosts", {"switches", "network, ns", "0-byte put, us"},
           std::move(rows));
}

void barriers(Reproduction& out, const QsnetFabric& eight) {
  std::vector<double> times(9);
  for (u32 n = 2; n <= 8; ++n)
    times[n] = in_us(barrier_time(eight.routes, eight.parameters, n, BarrierShape::linear));
  out.number("barrier.2", times[2]);
  out.number("barrier.8", times[8]);
  bool is_linear = true;
  for (u32 n = 2; n <= 8; ++n) {
    const double line = times[2] + (times[8] - times[2]) * (n - 2) / 6;
    is_linear = is_linear && std::abs(times[n] - line) <= 0.05 * line;
  }
  out.ordering("barrier.linear", is_linear);
}

// Of so many bytes: us, and MB/s each.
std::vector<std::string> exchange_cells(const QsnetFabric& f, u32 hosts, u64 bytes) {
  Progress progress("packets", exchange_packets(f.parameters, hosts, bytes));
  const double time = in_us(exchange_time(f.routes, f.parameters, hosts, bytes, &progress));
  return {fmt::format("{:.1f}", time),
          fmt::format("{:.1f}", static_cast<double>(bytes * (hosts - 1)) / time)};
}

// A row of the table: hosts, hot spots with so many partners, exchanges of 64 bytes and of 4 KB where they
// are cheap.
std::vector<std::string> row_of(const QsnetFabric& f, u32 hosts, double linear, double tree,
                                const PaperOptions& options) {
  const u32 partners = options.quick ? std::min(15u, hosts - 1) : hosts - 1;
  const auto hot = [&](Access access) {
    const u64 bytes = options.quick ? 4096 : 16384;
    return fmt::format("{:.1f}", hotspot_bandwidth(f.routes, f.parameters, access, partners, bytes, 2));
  };
  std::vector<std::string> row = {fmt::format("{}", hosts),    fmt::format("{:.1f}", linear),
                                  fmt::format("{:.1f}", tree), fmt::format("{}", partners),
                                  hot(Access::read),           hot(Access::write)};
  const u32 maximum[] = {options.quick ? 64u : 1024u, options.quick ? 8u : 64u};
  const u64 bytes[] = {64, 4096};
  for (u32 i = 0; i < 2; ++i)
    for (std::string& cell :
         hosts <= maximum[i] ? exchange_cells(f, hosts, bytes[i]) : std::vector<std::string>(2))
      row.push_back(std::move(cell));
  return row;
}

// What the paper could not do: the same on 64, 256 and 1024 hosts.
void larger(Reproduction& out, const QsnetFabric& eight, const QsnetFabric& thousand,
            const PaperOptions& options) {
  const QsnetFabric f64("4-ary 3-tree"), f256("4-ary 4-tree");
  const std::pair<const QsnetFabric*, u32> sizes[] = {
      {&eight, 8}, {&f64, 64}, {&f256, 256}, {&thousand, 1024}};
  std::vector<double> tree, linear;
  std::vector<std::vector<std::string>> rows;
  for (const auto& [f, n] : sizes) {
    linear.push_back(in_us(barrier_time(f->routes, f->parameters, n, BarrierShape::linear)));
    tree.push_back(in_us(barrier_time(f->routes, f->parameters, n, BarrierShape::tree)));
    rows.push_back(row_of(*f, n, linear.back(), tree.back(), options));
  }
  const double first = tree[2] - tree[1], second = tree[3] - tree[2];
  out.ordering("barrier.tree",
               std::abs(second - first) <= 0.25 * first && tree[2] < linear[2] && tree[3] < linear[3]);
  out.show("Larger trees",
           {"hosts", "barrier, us", "tree barrier, us", "partners", "read hot spot, MB/s",
            "write hot spot, MB/s", "exchange of 64 bytes, us", "MB/s each", "of 4 KB, us", "MB/s each"},
           std::move(rows));
}

}  // namespace

void petrini01_network(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options) {
  const QsnetFabric thousand("4-ary 5-tree");
  hops(out, eight, thousand);
  barriers(out, eight);
  larger(out, eight, thousand, options);
}

}  // namespace banyan::study
