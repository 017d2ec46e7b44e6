// htsim's .topo files: a fat-tree of two or three tiers, by the numbers of ports of each tier's switches.
//   Nodes 1024 / Tiers 3 / Podsize 64, then for each tier: Tier 0 / Radix_Down 8 / Radix_Up 8 / Bundle 1 /
//   ...
// Speeds of the links below a tier become capacities. Latencies and queues are for htsim alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/text.hpp"
#include "formats/format.hpp"
#include "formats/lines.hpp"
#include "topology/shape_links.hpp"

namespace banyan::formats {
namespace {

struct Tier {
  u64 down = 0, up = 0, bundle = 1;
  double gigabits = 0;
};

class HtsimReader {
 public:
  HtsimReader(std::istream& in, const std::string& file) : lines_(in, file) {}

  FabricFile run() && {
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line().substr(0, lines_.line().find('#')));
      if (!line.empty()) read(line);
    }
    if (tiers_.size() < 2 || nodes_ == 0)
      lines_.fail("found no tree, expected Nodes, Tiers and two or three of 'Tier N'");
    FabricFile out{make_topology(notation()), {}};
    if (has_speeds(notation())) out.unit = usual_link;
    return out;
  }

 private:
  void read(std::string_view line);
  std::string notation() const;

  LineReader lines_;
  u64 nodes_ = 0;
  std::vector<Tier> tiers_;
};

void HtsimReader::read(std::string_view line) {
  const std::string key = lower(line.substr(0, line.find_first_of(" \t")));
  const std::string_view value = trim(line.substr(key.size()));
  const auto number = parse_unsigned(value);
  if (!number || *number > (1u << 24))
    lines_.fail(fmt::format("found {} for '{}', expected a whole number", shown(value), key));
  if (key == "nodes") return void(nodes_ = *number);
  if (key == "tier") {
    if (*number != tiers_.size() || *number > 2)
      lines_.fail(fmt::format("found tier {}, expected tiers 0, 1 and 2 in order", *number));
    return void(tiers_.emplace_back());
  }
  if (key == "tiers" || key == "podsize") return;
  if (tiers_.empty()) lines_.fail(fmt::format("found '{}' before 'Tier 0'", key));
  Tier& tier = tiers_.back();
  if (key == "radix_down") tier.down = *number;
  if (key == "radix_up") tier.up = *number;
  if (key == "bundle") tier.bundle = std::max<u64>(1, *number);
  if (key == "downlink_speed_gbps") tier.gigabits = static_cast<double>(*number);
}

// Children by tier from the radix down; parents from the cables up and how many of them are bundled.
std::string HtsimReader::notation() const {
  std::vector<u64> children, parents, parallel;
  std::vector<std::string> speeds;
  u64 hosts = 1;
  for (std::size_t i = 0; i < tiers_.size(); ++i) {
    const u64 bundle = i == 0 ? 1 : tiers_[i].bundle, up = i == 0 ? 1 : tiers_[i - 1].up;
    if (up == 0 || up % bundle != 0 || tiers_[i].down == 0 || tiers_[i].down % bundle != 0)
      lines_.fail(fmt::format(
          "found tier {} with {} cables down, and {} up to it in bundles of {}: expected whole bundles", i,
          tiers_[i].down, up, bundle));
    children.push_back(tiers_[i].down / bundle);
    parents.push_back(up / bundle);
    parallel.push_back(bundle);
    if (tiers_[i].gigabits > 0) speeds.push_back(fmt::format("{}G", tiers_[i].gigabits));
    hosts *= children.back();
  }
  if (hosts != nodes_)
    lines_.fail(fmt::format("found {} nodes, expected the {} that the tiers have", nodes_, hosts));
  return fmt::format(
      "PGFT({}; {}; {}; {}{})", tiers_.size(), fmt::join(children, ","), fmt::join(parents, ","),
      fmt::join(parallel, ","),
      speeds.size() == tiers_.size() ? fmt::format("; capacity={}", fmt::join(speeds, "/")) : "");
}

}  // namespace

Format htsim_format() {
  return {"htsim",
          {},
          "htsim's .topo: a fat-tree by tiers",
          [](std::string_view head) {
            const std::string start = lower(head);
            return lower(first_line(head)).starts_with("nodes ") && start.find("\ntiers ") != start.npos;
          },
          [](std::istream& in, const std::string& file) { return HtsimReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
