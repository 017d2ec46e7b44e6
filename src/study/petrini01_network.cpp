// Sections 5.1 and 5.2 of petrini01: switches and barriers, and both on larger trees.
#include <fmt/format.h>

#include <cmath>

#include "flit/qsnet/barrier.hpp"
#include "flit/qsnet/collective.hpp"
#include "flit/qsnet/hops.hpp"
#include "study/petrini01.hpp"

namespace banyan {
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

// What the paper could not do: the same on 64, 256 and 1024 hosts.
void larger(Reproduction& out, const QsnetFabric& thousand, const PaperOptions& options) {
  const QsnetFabric f64("4-ary 3-tree"), f256("4-ary 4-tree");
  double tree[3], linear[3];
  std::vector<std::vector<std::string>> rows;
  const QsnetFabric* fabrics[] = {&f64, &f256, &thousand};
  for (u32 i = 0; i < 3; ++i) {
    const QsnetFabric& f = *fabrics[i];
    const u32 n = f.topology.fabric.hosts(), partners = options.quick ? 15 : n - 1;
    linear[i] = in_us(barrier_time(f.routes, f.parameters, n, BarrierShape::linear));
    tree[i] = in_us(barrier_time(f.routes, f.parameters, n, BarrierShape::tree));
    const u64 bytes = options.quick ? 4096 : 16384;
    const auto hot = [&](Access access) {
      return fmt::format("{:.1f}", hotspot_bandwidth(f.routes, f.parameters, access, partners, bytes, 2));
    };
    const u64 each = n == 64 && !options.quick ? 4096 : 64;
    const double exchange =
        n <= (options.quick ? 64 : 256) ? in_us(exchange_time(f.routes, f.parameters, n, each)) : 0;
    rows.push_back(
        {fmt::format("{}", n), fmt::format("{:.1f}", linear[i]), fmt::format("{:.1f}", tree[i]),
         fmt::format("{}", partners), hot(Access::read), hot(Access::write),
         exchange > 0 ? fmt::format("{}", each) : "", exchange > 0 ? fmt::format("{:.0f}", exchange) : "",
         exchange > 0 ? fmt::format("{:.1f}", static_cast<double>(each * (n - 1)) / exchange) : ""});
  }
  const double first = tree[1] - tree[0], second = tree[2] - tree[1];
  out.ordering("barrier.tree",
               std::abs(second - first) <= 0.25 * first && tree[1] < linear[1] && tree[2] < linear[2]);
  out.show("Larger trees",
           {"hosts", "barrier, us", "tree barrier, us", "partners", "read hot spot, MB/s",
            "write hot spot, MB/s", "exchange, bytes", "us", "MB/s each"},
           std::move(rows));
}

}  // namespace

void petrini01_network(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options) {
  const QsnetFabric thousand("4-ary 5-tree");
  hops(out, eight, thousand);
  barriers(out, eight);
  larger(out, thousand, options);
}

}  // namespace banyan
