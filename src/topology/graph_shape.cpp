#include "topology/graph_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/saturating.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {

std::string GraphShape::notation() const {
  std::string text = OptionWriter().add("hosts", hosts_per_switch, 0).add_links(links).str();
  return parameters + text + (options.empty() ? "" : ", " + options) + ")";
}

std::vector<u32> GraphShape::switches_per_level() const {
  return others == 0 ? std::vector{leaves} : std::vector{leaves, others};
}

std::vector<u32> GraphShape::ports() const {
  std::vector<u32> out(switches(), 0);
  for (u32 s = 0; s < leaves; ++s) out[s] = hosts_per_switch;
  for (const auto& [a, b] : edges) ++out[a], ++out[b];
  return out;
}

u32 GraphShape::widest_switch() const {
  const auto all = ports();
  return *std::max_element(all.begin(), all.end());
}

u32 GraphShape::least_degree() const {
  const auto all = ports();
  return *std::min_element(all.begin(), all.begin() + leaves) - hosts_per_switch;
}

void GraphShape::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  builder.name_next_switches(prefix + "s");
  for (const u32 count : ports()) builder.add_switch(count);
}

void GraphShape::connect(FabricBuilder& builder, const Plane& plane) const {
  plane.connect_hosts(builder, hosts(), hosts_per_switch, links[0]);
  const u8 link_class = builder.add_class(links[1]);
  std::vector<u32> next(switches(), 0);
  for (u32 s = 0; s < leaves; ++s) next[s] = hosts_per_switch;
  for (const auto& [a, b] : edges)
    builder.connect(plane.switch_(a), Port{next[a]++}, plane.switch_(b), Port{next[b]++}, link_class);
}

GraphShape read_graph(const Notation& notation, std::string parameters, const GraphSize& size,
                      std::vector<std::string_view> more) {
  constexpr u64 most = u64{1} << 24;  // of all switches: the cables are listed, so this costs memory
  more.insert(more.end(), {"hosts", "capacity", "latency"});
  notation.allow_options(std::move(more));
  GraphShape out;
  out.parameters = std::move(parameters);
  const u64 hosts = notation.number("hosts", static_cast<u32>(std::min(size.hosts, most)));
  const u64 ports = saturating_add(saturating_multiply(size.leaves, saturating_add(size.degree, hosts)),
                                   saturating_multiply(size.others, size.degree));
  if (ports > most) notation.fail(fmt::format("more than {} ports of switches; that is too large", most));
  out.leaves = static_cast<u32>(size.leaves);
  out.others = static_cast<u32>(size.others);
  out.hosts_per_switch = static_cast<u32>(hosts);
  out.links = read_link_classes(notation, 2);
  out.groups.assign(out.switches(), 0);
  return out;
}

}  // namespace banyan::topology
