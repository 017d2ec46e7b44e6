#include "routing/plane_hops.hpp"

#include <algorithm>

namespace banyan::routing {

const PlaneHops::Part& PlaneHops::part_of(Node node) const {
  const bool is_nic = index(node) < nics_;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const PlaneNumbers& next = parts_[i].numbers;
    if (index(node) < (is_nic ? next.first_nic : next.first_switch)) return parts_[i - 1];
  }
  return parts_.back();
}

void PlaneHops::hops(Node node, const Header& header, Hops& out) const {
  const Part& part = part_of(node);
  const auto& [first_nic, nics, first_switch, switches, lmc] = part.numbers;
  const u32 to = index(header.to) >> lmc_, which = index(header.to) & ((1u << lmc) - 1);
  if (to < first_nic || to >= first_nic + nics) return;  // on another plane
  Header own = header;
  own.to = Address{((to - first_nic) << lmc) + which};
  const u32 v = index(node) < nics_ ? index(node) - first_nic : index(node) - first_switch + nics;
  if (!has_escape() || part.has_escape) return part.offer(part.forward.get(), Node{v}, own, out);
  own.state = 0;
  Hops unmarked;
  part.offer(part.forward.get(), Node{v}, own, unmarked);
  for (Hop hop : unmarked) {
    hop.state = on_escape;
    out.push_back(hop);
  }
}

bool PlaneHops::enters_alike() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.enters_alike; });
}

}  // namespace banyan::routing
