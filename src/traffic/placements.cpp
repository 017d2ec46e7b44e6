// The placements: in order, at random, clustered as on a machine that has been in use for a while (domke19,
// section 4.4), or as a file says.
#include <algorithm>
#include <unordered_map>

#include "base/file.hpp"
#include "base/permutation.hpp"
#include "base/random.hpp"
#include "traffic/placement.hpp"

namespace banyan::traffic {
namespace {

constexpr u64 placement_stream = ~u64{0};  // not one that a pattern draws its samples from

Placement in_order(const PlacementSetting& setting, const NoOptions&) {
  Placement out;
  for (u32 i = 0; i < setting.ranks; ++i) out.push_back(setting.free[i]);
  return out;
}

Placement random(const PlacementSetting& setting, const NoOptions&) {
  if (setting.ranks == 0) return {};
  const Permutation shuffled(setting.free.size(), setting.seed, placement_stream);
  Placement out;
  for (u32 i = 0; i < setting.ranks; ++i) out.push_back(setting.free[shuffled(i)]);
  return out;
}

struct ClusteredOptions {
  double p = 0.8;
  static void fields(auto& self, auto&& f) { f("p", self.p, "chance that the next host is taken"); }
};

// From each host to the next a stride of the geometric distribution, 1 with probability p; around the end,
// and past what is taken.
Placement clustered(const PlacementSetting& setting, const ClusteredOptions& options) {
  if (options.p < 1e-4 || options.p > 1)
    throw InputError(fmt::format("clustered: p must be from 0.0001 to 1, not {}", options.p));
  Random draw(setting.seed, placement_stream);
  std::vector<bool> taken(setting.free.size());
  std::size_t at = 0;
  Placement out;
  for (u32 i = 0; i < setting.ranks; ++i) {
    while (taken[at]) at = (at + 1) % taken.size();
    taken[at] = true;
    out.push_back(setting.free[at]);
    do at = (at + 1) % taken.size();
    while (draw.unit() >= options.p);
  }
  return out;
}

struct FileOptions {
  FilePath path;
  static void fields(auto& self, auto&& f) {
    f("path", self.path, "a host's name or number a line, rank by rank");
  }
};

using HostNames = std::unordered_map<std::string, u32>;

Host host_in_line(u32 hosts, const HostNames& names, const Place& at, std::string_view text) {
  if (const auto named = names.find(std::string(text)); named != names.end()) return Host{named->second};
  const auto number = parse_unsigned(text);
  if (!number || *number >= hosts)
    throw InputError(at, fmt::format("found '{}', expected the name of a host or a number below {}",
                                     text.substr(0, 40), hosts));
  return Host{static_cast<u32>(*number)};
}

Placement file(const PlacementSetting& setting, const FileOptions& options) {
  if (options.path.empty()) throw InputError("file: expected a path, as in file:hosts.txt");
  std::ifstream in = open_input(options.path);
  HostNames names;
  for (u32 i = 0; i < setting.fabric.hosts(); ++i) names.emplace(setting.fabric.host_name(Host{i}), i);
  std::vector<bool> usable(setting.fabric.hosts());
  for (const Host host : setting.free) usable[index(host)] = true;
  Placement out;
  std::string line;
  for (u64 number = 1; out.size() < setting.ranks && std::getline(in, line); ++number) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    const Place at{options.path, number};
    const Host host = host_in_line(setting.fabric.hosts(), names, at, text);
    if (!usable[index(host)])
      throw InputError(
          at, fmt::format("found {}, expected a host that is still free", setting.fabric.host_name(host)));
    usable[index(host)] = false;
    out.push_back(host);
  }
  if (out.size() < setting.ranks)
    throw InputError(Place{options.path, 0}, fmt::format("found {} hosts, expected {}, one for each rank",
                                                         out.size(), setting.ranks));
  return out;
}

template <auto function, class Options>
PlacementRule rule_of(Placement (*)(const PlacementSetting&, const Options&), std::string_view name,
                      std::string_view source, std::string_view summary) {
  return {name, source, summary, option_infos<Options>(),
          [](const PlacementSetting& setting, const PluginText& text) {
            return function(setting, read_options<Options>(text));
          }};
}
template <auto function>
PlacementRule make_rule(std::string_view name, std::string_view source, std::string_view summary) {
  return rule_of<function>(function, name, source, summary);
}

}  // namespace

PlacementRule linear_placement() {
  return make_rule<in_order>("linear", "domke19", "rank i on the i-th free host");
}
PlacementRule random_placement() {
  return make_rule<random>("random", "domke19", "any free hosts, by the seed");
}
PlacementRule clustered_placement() {
  return make_rule<clustered>("clustered", "domke19", "in order with gaps: geometric strides, by the seed");
}
PlacementRule file_placement() { return make_rule<file>("file", "", "the hosts that a file lists"); }

}  // namespace banyan::traffic
