// Rails are found again in rail-optimised fabrics with gaps, two styles of names, adapters without names and
// hosts in any order; fabrics without rails get none.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "formats/rail_names.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

struct Cabled {
  std::string name;
  u32 leaf = 0;
  std::optional<u32> rail = std::nullopt;  // the truth
};
using CabledHosts = std::vector<std::vector<Cabled>>;

template <class T>
void mix(std::vector<T>& values) {
  for (u32 i = 1; i < values.size(); ++i) {
    const u32 other = draw(0, i);
    std::swap(values[i], values[other]);
  }
}

std::vector<u32> random_order(u32 count) {
  std::vector<u32> out(count);
  std::iota(out.begin(), out.end(), 0);
  mix(out);
  return out;
}

FoundRails find(const CabledHosts& hosts) {
  std::vector<std::vector<AdapterSeen>> seen;
  for (const auto& host : hosts) {
    seen.emplace_back();
    for (const Cabled& a : host) seen.back().push_back({a.name, std::nullopt, a.leaf});
  }
  return find_rails(seen);
}

// The names of one style, in order: some numbers below 20, not always the first.
std::vector<std::string> random_names(const std::string& stem, u32 rails) {
  std::vector<u32> numbers = random_order(20);
  numbers.resize(rails);
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> out;
  for (u32 n : numbers) out.push_back(stem + std::to_string(n));
  return out;
}

std::vector<Cabled> host_of(const std::vector<std::string>& names, u32 first_leaf) {
  std::vector<Cabled> out;
  for (u32 r = 0; r < names.size(); ++r) out.push_back({names[r], first_leaf + r, r});
  return out;
}

// Two hosts of the first unit are whole; of the others of a style every second may lack an adapter.
CabledHosts railed_hosts(u32 rails) {
  const auto hca = random_names("HCA-", rails), mlx = random_names("mlx5_", rails);
  CabledHosts out = {host_of(hca, 0), host_of(hca, 0)};
  const u32 units = draw(1, 4);
  u32 count[2] = {0, 0};
  for (u32 unit = 0; unit < units; ++unit)
    for (u32 more = draw(0, 5); more > 0; --more) {
      const u32 style = draw(0, 1);
      out.push_back(host_of(style ? mlx : hca, unit * rails));
      if (count[style]++ % 2 == 0) continue;
      const u32 lost = draw(0, rails);
      if (lost < rails) out.back().erase(out.back().begin() + lost);
    }
  return out;
}

void check_well_formed(const FoundRails& found) {
  u32 guessed = 0;
  std::set<u32> used;
  for (const auto& host : found.hosts) {
    std::set<u32> slots, rails;
    for (const RailPlace& place : host) {
      slots.insert(place.slot);
      guessed += place.guessed;
      RC_ASSERT(place.slot < host.size());
      RC_ASSERT(place.rail.has_value() || !place.guessed);
      if (place.rail) used.insert(*place.rail);
      if (place.rail) RC_ASSERT(*place.rail < found.rails && rails.insert(*place.rail).second);
    }
    RC_ASSERT(slots.size() == host.size());
  }
  RC_ASSERT(guessed == found.guessed);
  RC_ASSERT(used.size() == found.rails);
}

RC_GTEST_PROP(RailNames, AreFoundAgain, ()) {
  const u32 rails = draw(3, 8);
  CabledHosts hosts = railed_hosts(rails);
  for (u32 more = draw(0, 4); more > 0; --more) {
    const u32 leaf = draw(0, rails - 1);
    hosts.push_back({{"", leaf, leaf}});
  }
  for (auto& host : hosts) mix(host);
  mix(hosts);
  const FoundRails found = find(hosts);
  RC_LOG() << found.how << '\n';
  check_well_formed(found);
  RC_ASSERT(found.rails == rails);
  RC_ASSERT(found.elsewhere == 0u);
  std::map<u32, u32> as;  // rail -> number found for it
  for (std::size_t h = 0; h < hosts.size(); ++h)
    for (std::size_t i = 0; i < hosts[h].size(); ++i) {
      const RailPlace& place = found.hosts[h][i];
      RC_ASSERT(place.rail.has_value());
      RC_ASSERT(place.guessed == hosts[h][i].name.empty());
      RC_ASSERT(as.emplace(*hosts[h][i].rail, *place.rail).first->second == *place.rail);
    }
}

// All adapters of a host on one leaf, or on the switches of a rack in turn, or one adapter for each host.
CabledHosts plain_hosts() {
  const auto names = random_names("mlx5_", draw(1, 4));
  const u32 switches = draw(1, 3), racks = draw(1, 4);
  CabledHosts out;
  for (u32 rack = 0; rack < racks; ++rack)
    for (u32 h = 0; h < 2 * switches; ++h) {
      out.emplace_back();
      for (u32 i = 0; i < names.size(); ++i)
        out.back().push_back({names[i], rack * switches + (h + i) % switches});
    }
  return out;
}

RC_GTEST_PROP(RailNames, AreNotFoundWhereThereAreNone, ()) {
  CabledHosts hosts = plain_hosts();
  for (auto& host : hosts) mix(host);
  mix(hosts);
  const FoundRails found = find(hosts);
  RC_LOG() << found.how << '\n';
  check_well_formed(found);
  RC_ASSERT(found.rails == 0u);
}

// Any cables and names, with names missing and given twice.
CabledHosts any_hosts() {
  const u32 leaves = draw(1, 6), kinds = draw(1, 5), count = draw(0, 10);
  CabledHosts out(count);
  for (auto& host : out)
    for (u32 more = draw(0, 5); more > 0; --more) {
      const u32 kind = draw(0, kinds), leaf = draw(0, leaves);
      host.push_back({kind == 0 ? "" : (kind % 2 ? "HCA-" : "ibp7s") + std::to_string(kind), leaf});
    }
  return out;
}

RC_GTEST_PROP(RailNames, DoNotDependOnTheOrderOfHostsNorOnTheNumbersOfLeaves, ()) {
  const CabledHosts hosts = draw(0, 1) ? any_hosts() : railed_hosts(draw(2, 4));
  const FoundRails found = find(hosts);
  check_well_formed(found);
  const std::vector<u32> order = random_order(static_cast<u32>(hosts.size())), leaf = random_order(64);
  CabledHosts moved;
  for (u32 h : order) {
    moved.push_back(hosts[h]);
    for (Cabled& a : moved.back()) a.leaf = leaf[a.leaf];
  }
  const FoundRails again = find(moved);
  RC_ASSERT(again.how == found.how);
  for (u32 i = 0; i < order.size(); ++i) RC_ASSERT(again.hosts[i] == found.hosts[order[i]]);
}

}  // namespace
}  // namespace banyan::tests
