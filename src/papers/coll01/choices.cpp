// Coll et al. 2001: what the paper leaves open, answered otherwise, one question at a time.
#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {

void Figures::choices() {
  const std::pair<const char*, const char*> others[] = {
      {"as assumed", ""},
      {"a process goes on when NICs have its message", "sends=queued"},
      {"packets as long as a mean message", "packet-flits=2048"},
      {"a bus that moves both ways at once", "bus=full"},
      {"a bus that turns after 1 KB", "bus-burst=64"},
      {"a NIC that answers in 200 cycles", "nic-cycles=25"},
      {"a NIC that answers in 800 cycles", "nic-cycles=100"},
      {"replies awaited for 40,000 cycles", "timeout-cycles=5000"}};
  const Curve short_hybrid{"hybrid, 4 KB", "hybrid:4096", 0};
  const std::vector<Curve> lines = {basic, local, dynamic, dynamic_striped, short_hybrid};
  std::vector<std::string> columns = {"otherwise"};
  for (const Curve& line : lines) columns.push_back(line.name);
  columns.emplace_back("basic, 7 rails");
  columns.emplace_back("basic, latency");
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, other] : others) {
    std::vector<std::string> row = {name};
    for (const Curve& line : lines) row.push_back(percent(at(32, 4, line, 32, 0.5, other).accepted));
    row.push_back(percent(at(32, 7, basic, 32, 0.5, other).accepted));
    row.push_back(fmt::format("{:.0f}", at(32, 4, basic, 32, 0.15, other).latency));
    rows.push_back(std::move(row));
  }
  out_.show(
      "What the paper leaves open, answered otherwise: accepted bandwidth in %, 32 hosts, 4 rails, 32 KB, "
      "load 0.5",
      std::move(columns), std::move(rows));
}

}  // namespace banyan::papers::coll01
