#include "size/hall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"

namespace banyan::size {
namespace {

// The rack that most of a switch's hosts are in; none: it has no hosts.
constexpr u32 no_rack = ~u32{0};

u32 rack_with_most(const Fabric& fabric, Node node, u32 hosts_per_rack) {
  std::map<u32, u32> hosts;  // by rack
  for (const Channel c : fabric.channels(node)) {
    const Node other = fabric.to(c);
    if (other == none<Node> || fabric.is_switch(other)) continue;
    ++hosts[index(fabric.host(fabric.nic(other))) / hosts_per_rack];
  }
  const auto maximum = std::max_element(hosts.begin(), hosts.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return maximum == hosts.end() ? no_rack : maximum->first;
}

double distance(u32 a, u32 b, double pitch) { return pitch * (a < b ? b - a : a - b); }

// The same of hosts first ... first + count - 1.
u32 rack_with_most(u32 first, u32 count, u32 hosts_per_rack) {
  const u32 rack = first / hosts_per_rack, last = (first + count - 1) / hosts_per_rack;
  if (rack == last) return rack;
  const u32 in_first = (rack + 1) * hosts_per_rack - first, left = count - in_first;
  return in_first >= std::min(left, hosts_per_rack) ? rack : rack + 1;
}

void refuse_empty_racks(const HallOptions& options) {
  if (options.hosts_per_rack == 0 || options.switches_per_rack == 0 || options.racks_per_row == 0)
    throw InputError("a rack or a row of nothing; expected 1 or more in each");
  HallOptions::fields(options, [](std::string_view option, auto value, auto&&) {
    if (value < 0) throw InputError(fmt::format("{} {}: expected 0 or more metres", option, value));
  });
}

u32 racks_for(u32 things, u32 per_rack) { return (things + per_rack - 1) / per_rack; }

}  // namespace

Hall furnish(const Fabric& fabric, const HallOptions& options) {
  refuse_empty_racks(options);
  const u32 host_racks = racks_for(fabric.hosts(), options.hosts_per_rack);
  Hall out;
  for (u32 h = 0; h < fabric.hosts(); ++h) out.rack_of.push_back(h / options.hosts_per_rack);
  u32 others = 0;
  for (const Node node : fabric.switch_nodes()) {
    u32 rack = rack_with_most(fabric, node, options.hosts_per_rack);
    if (rack == no_rack) rack = host_racks + others++ / options.switches_per_rack;
    out.rack_of.push_back(rack);
  }
  const u32 switch_racks = racks_for(others, options.switches_per_rack);
  out.racks = host_racks + switch_racks;
  const u32 middle = host_racks / 2;
  for (u32& rack : out.rack_of) {
    if (rack >= host_racks)
      rack = middle + (rack - host_racks);
    else if (rack >= middle)
      rack += switch_racks;
  }
  return out;
}

double metres(const HallOptions& options, u32 rack, u32 other) {
  if (rack == other) return options.inside;
  const u32 n = options.racks_per_row;
  return options.outside + distance(rack % n, other % n, options.rack_pitch) +
         distance(rack / n, other / n, options.row_pitch);
}

HallPlan::HallPlan(const Outline& outline, const HallOptions& options)
    : options_(options),
      leaves_(outline.leaves / outline.planes),
      others_(outline.switches / outline.planes - leaves_),
      leaves_of_host_(outline.leaves_of_host),
      hosts_of_leaf_(static_cast<u32>(u64{outline.hosts} * leaves_of_host_ / leaves_)) {
  refuse_empty_racks(options);
  host_racks_ = racks_for(outline.hosts, options.hosts_per_rack);
  switch_racks_ = racks_for(others_ * outline.planes, options.switches_per_rack);
}

u32 HallPlan::rack_of_switch(u32 plane, u32 number) const {
  if (number < leaves_)
    return behind_switches(
        rack_with_most(number / leaves_of_host_ * hosts_of_leaf_, hosts_of_leaf_, options_.hosts_per_rack));
  return host_racks_ / 2 + (plane * others_ + number - leaves_) / options_.switches_per_rack;
}

u32 HallPlan::switches_in_a_row(u32 plane, u32 number) const {
  if (number < leaves_) return 1;
  return options_.switches_per_rack - (plane * others_ + number - leaves_) % options_.switches_per_rack;
}

}  // namespace banyan::size
