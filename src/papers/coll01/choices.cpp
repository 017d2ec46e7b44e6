// Coll et al. 2001: what the paper leaves open, answered otherwise, one question at a time.
#include <cmath>

#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {
namespace {

struct Reading {
  std::string_view name, turns;
  u32 nic_messages, bus_turn;
  std::string_view sends;
};
// Section 5.4 (processors synchronise their choice): turns. Section 4.1 (two virtual channels): messages at
// once. Section 1 (80 % for both ways): the turn of a bus, one cycle in five. Released when its NIC begins:
// sends.
constexpr Reading readings_of_the_text[] = {
    {"none of the four", "host", 1, 0, "awaited"},
    {"(1) rails in turn by process", "process", 1, 0, "awaited"},
    {"(2) a NIC sends two messages at once", "host", 2, 0, "awaited"},
    {"(3) a bus loses a cycle when it turns", "host", 1, 1, "awaited"},
    {"(4) a process goes on when its message begins", "host", 1, 0, "begun"},
    {"(1) and (2): as judged", "process", 2, 0, "awaited"},
    {"(1), (2) and (3)", "process", 2, 1, "awaited"},
    {"(1), (2) and (4)", "process", 2, 0, "begun"},
    {"all four", "process", 2, 1, "begun"}};

bool is_of(const StoredPoint& point, const Reading& r, u32 rail_count, const Curve& line) {
  const auto has = [&](std::string_view word) { return point.point.find(word) != std::string::npos; };
  return point.point.starts_with("readings") && point.fabric.starts_with(fmt::format("{} x", rail_count)) &&
         has(fmt::format("rails-policy={}", line.policy)) && has(fmt::format("turns={}", r.turns)) &&
         has(fmt::format("nic-messages={}", r.nic_messages)) && has(fmt::format("bus-turn={}", r.bus_turn)) &&
         has(fmt::format("sends={}", r.sends));
}

}  // namespace

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
    for (const Curve& line : lines) row.push_back(percent(at(32, 4, line, 32, 0.5, other).accepted.mean));
    row.push_back(percent(at(32, 7, basic, 32, 0.5, other).accepted.mean));
    row.push_back(fmt::format("{:.0f}", at(32, 4, basic, 32, 0.15, other).latency.mean));
    rows.push_back(std::move(row));
  }
  out_.show(
      "What the paper leaves open, answered otherwise: accepted bandwidth in %, 32 hosts, 4 rails, 32 KB, "
      "load 0.5",
      std::move(columns), std::move(rows));
}

// Section 1: static allocation beside the others, on the fewest rails that 16 hosts need.
void Figures::static_rails() {
  const std::vector<Curve> lines = {{"static", "static", 0}, basic, local, dynamic};
  const auto of = [&](const Curve& line, double load) { return at(16, 6, line, 32, load); };
  std::vector<std::vector<std::string>> rows;
  Holds poor = Holds::yes;
  for (const Curve& line : lines) {
    rows.push_back(
        {line.name, percent(of(line, 0.5).accepted), fmt::format("{:.0f}", of(line, 0.05).latency.mean)});
    if (line.name == "static") continue;
    poor = all_hold({poor, is_more(of(line, 0.5).accepted, of(lines[0], 0.5).accepted),
                     is_more(of(lines[0], 0.05).latency, of(line, 0.05).latency)});
  }
  out_.show("Static allocation beside the others, 16 hosts, 6 rails, 32 KB",
            {"policy", "accepted at 0.5, %", "latency at 0.05, cycles"}, std::move(rows));
  holds("static.poor", poor, "in the table",
        known("a NIC that only sends never shares its bus, which the paper's own argument for it was; a "
              "message has "
              "few rails to go by, but none is busy with both ways"));
}

// Four sentences that can be read in two ways, each alone and together; several seeds.
void Figures::readings() {
  std::vector<std::vector<std::string>> rows;
  for (const Reading& reading : readings_of_the_text) {
    const auto maximum_at = [&](u32 rails_, const Curve& line) {
      Interval out;
      std::vector<double> seeds;
      for (const StoredPoint& point : rows_.all())
        if (is_of(point, reading, rails_, line)) seeds.push_back(row_of(point, "accepted"));
      double sum = 0, squares = 0;
      for (const double x : seeds) sum += x;
      out.mean = sum / static_cast<double>(seeds.size());
      for (const double x : seeds) squares += (x - out.mean) * (x - out.mean);
      if (seeds.size() > 1)
        out.half_width = 1.96 * std::sqrt(squares / static_cast<double>(seeds.size() * (seeds.size() - 1)));
      return out;
    };
    const Interval b1 = maximum_at(1, basic), b4 = maximum_at(4, basic), b7 = maximum_at(7, basic),
                   l4 = maximum_at(4, local), d4 = maximum_at(4, dynamic);
    const auto cell = [](const Interval& x) { return fmt::format("{:+.1f} ± {:.1f}", x.mean, x.half_width); };
    rows.push_back({std::string(reading.name), percent(b1), percent(b4), percent(b7), percent(l4),
                    percent(d4), cell(gain_over(b7, b1)), cell(gain_over(d4, b4)), cell(gain_over(d4, l4))});
  }
  out_.show(
      "Sentences that can be read in two ways: accepted at a load of 0.5 in %, 32 hosts, 32 KB, without "
      "striping (paper: -40, +36, and +48.7 for hybrid)",
      {"reading", "basic, 1 rail", "4", "7", "local-dynamic, 4", "dynamic, 4", "basic, 1 to 7 rails, %",
       "dynamic over basic, %", "dynamic over local-dynamic, %"},
      std::move(rows));
}

}  // namespace banyan::papers::coll01
