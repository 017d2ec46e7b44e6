// Sections 5.1 and 5.2 of petrini01: switches and barriers, and both on larger trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/petrini01/petrini01.hpp"

namespace banyan::papers {
namespace {

void hops(Reproduction& out, const StudyRows& found) {
  const StoredPoint &near = found.point("hops", {"4-ary 2-tree"}),
                    &far = found.point("hops", {"4-ary 5-tree"});
  const auto put = [](const StoredPoint& tree, u32 switches) {
    return row_of(tree, fmt::format("put_{}", switches));
  };
  const auto network = [&](u32 switches) { return row_of(far, fmt::format("network_{}", switches)); };
  std::vector<std::vector<std::string>> rows;
  u32 last = 0;
  for (u32 switches = 1; switches < far.rows.size(); switches += 2) {
    rows.push_back({fmt::format("{}", switches), fmt::format("{:.0f}", network(switches) * 1000),
                    fmt::format("{:.3f}", put(far, switches))});
    last = switches;
  }
  out.number("hop", (put(near, 3) - put(near, 1)) * 1000 / 2 / 2);
  out.number("hop.switches", last);
  out.number("hop.worst", network(last));
  out.ordering("hop.interface", put(far, 1) - 2 * network(1) >= 1);
  out.ordering("hop.location", 2 * put(far, last) < 3 * put(far, 1));
  out.show("Latency in the tree of 1024 hosts", {"switches", "network, ns", "0-byte put, us"},
           std::move(rows));
}

void barriers(Reproduction& out, const StudyRows& found) {
  std::vector<double> times(9);
  for (u32 n = 2; n <= 8; ++n) times[n] = found.row("barrier", {fmt::format("hosts={}", n)}, "time");
  out.number("barrier.2", times[2]);
  out.number("barrier.8", times[8]);
  bool is_linear = true;
  for (u32 n = 2; n <= 8; ++n) {
    const double line = times[2] + (times[8] - times[2]) * (n - 2) / 6;
    is_linear = is_linear && std::abs(times[n] - line) <= 0.05 * line;
  }
  out.ordering("barrier.linear", is_linear);
  std::vector<std::vector<std::string>> rows;
  for (u32 n = 2; n <= 8; ++n) rows.push_back({fmt::format("{}", n), fmt::format("{:.2f}", times[n])});
  out.show({"Barrier (Figure 7), us",
            {"hosts", "barrier"},
            std::move(rows),
            {{2, 2, 6.2, 6.2, "6.2 us", "barrier"}, {8, 8, 7.4, 7.4, "7.4 us", "barrier"}},
            {"barrier.2", "barrier.8", "barrier.linear"}});
}

// A row of the table: hosts, hot spots with so many partners, exchanges of 64 bytes and of 4 KB where they
// are cheap.
std::vector<std::string> row_of_table(const StudyRows& found, u32 hosts, double linear, double tree,
                                      bool quick) {
  const std::string part = fmt::format("{} hosts", hosts);
  const u32 partners = quick ? std::min(15u, hosts - 1) : hosts - 1;
  const auto hot = [&](std::string_view access) {
    return fmt::format("{:.1f}", found.row(part, {"test=hotspot", access}, "bandwidth"));
  };
  std::vector<std::string> row = {fmt::format("{}", hosts),    fmt::format("{:.1f}", linear),
                                  fmt::format("{:.1f}", tree), fmt::format("{}", partners),
                                  hot("access=read"),          hot("access=write")};
  const u32 maximum[] = {quick ? 64u : 1024u, quick ? 8u : 64u};
  const u64 bytes[] = {64, 4096};
  for (u32 i = 0; i < 2; ++i) {
    if (hosts > maximum[i]) {
      row.insert(row.end(), 2, "");
      continue;
    }
    const double time = found.row(part, {"test=exchange", fmt::format("bytes={}", bytes[i])}, "time");
    row.push_back(fmt::format("{:.1f}", time));
    row.push_back(fmt::format("{:.1f}", static_cast<double>(bytes[i] * (hosts - 1)) / time));
  }
  return row;
}

// What the paper could not do: the same on 64, 256 and 1024 hosts.
void larger(Reproduction& out, const StudyRows& found, bool quick) {
  std::vector<double> tree, linear;
  std::vector<std::vector<std::string>> rows;
  for (const u32 hosts : {8u, 64u, 256u, 1024u}) {
    const std::string part = fmt::format("{} hosts", hosts);
    linear.push_back(found.row(part, {"test=barrier", "shape=linear"}, "time"));
    tree.push_back(found.row(part, {"test=barrier", "shape=tree"}, "time"));
    rows.push_back(row_of_table(found, hosts, linear.back(), tree.back(), quick));
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

void petrini01_network(Reproduction& out, const StudyRows& rows, bool quick) {
  hops(out, rows);
  barriers(out, rows);
  larger(out, rows, quick);
}

}  // namespace banyan::papers
