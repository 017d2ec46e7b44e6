#include "verify/distances_to.hpp"

#include <algorithm>

namespace banyan::verify {

DistancesTo::DistancesTo(const Fabric& fabric)
    : nics_(fabric.nics()), first_(fabric.switches() + 1), has_nic_(fabric.switches()) {
  distance_.resize(fabric.switches());
  queue_.reserve(fabric.switches());
  for (Node v : fabric.switch_nodes()) {
    const auto begin = static_cast<std::ptrdiff_t>(near_.size());
    for (Channel c : fabric.channels(v))
      if (fabric.cabled(c) && fabric.is_switch(fabric.to(c))) near_.push_back(index(fabric.to(c)) - nics_);
    std::sort(near_.begin() + begin, near_.end());
    near_.erase(std::unique(near_.begin() + begin, near_.end()), near_.end());
    first_[index(v) - nics_ + 1] = static_cast<u32>(near_.size());
    for (Channel c : fabric.channels(v))
      if (fabric.cabled(c) && !fabric.is_switch(fabric.to(c))) has_nic_[index(v) - nics_] = true;
  }
  with_nic_ = static_cast<u32>(std::count(has_nic_.begin(), has_nic_.end(), true));
}

void DistancesTo::search(const Attachment& goal) {
  std::fill(distance_.begin(), distance_.end(), out_of_reach);
  queue_.clear();
  direct_ = none<Nic>;
  u32 left = with_nic_;
  for (Node node : goal.at) {
    if (node == none<Node>) continue;
    if (index(node) < nics_) {
      direct_ = goal.nics.front();  // nobody else is cabled there
    } else if (distance_[index(node) - nics_] == out_of_reach) {
      distance_[index(node) - nics_] = 1;
      queue_.push_back(index(node) - nics_);
      --left;
    }
  }
  for (std::size_t i = 0; i < queue_.size() && left > 0; ++i)
    for (u32 n = first_[queue_[i]]; n < first_[queue_[i] + 1]; ++n)
      if (distance_[near_[n]] == out_of_reach) {
        distance_[near_[n]] = distance_[queue_[i]] + 1;
        queue_.push_back(near_[n]);
        left -= has_nic_[near_[n]];
      }
}

u32 DistancesTo::from(const Attachment& source) const {
  u32 least = out_of_reach;
  for (Node node : source.at) {
    if (node == none<Node>) continue;
    if (direct_ != none<Nic> && index(node) == index(direct_)) return 1;
    if (index(node) < nics_ || distance_[index(node) - nics_] == out_of_reach) continue;
    least = std::min(least, distance_[index(node) - nics_] + 1);
  }
  return least;
}

}  // namespace banyan::verify
