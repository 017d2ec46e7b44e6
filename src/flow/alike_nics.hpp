// Groups of NICs that are equivalent as sources, because they are cabled and routed alike. Tables send all
// hosts of a leaf the same way, so one of them can be followed for all.
#pragma once
#include <span>
#include <vector>

#include "routing/routing.hpp"

namespace banyan::flow {

class AlikeNics {
 public:
  AlikeNics(const Fabric& fabric, const Routing& routing, std::span<const Nic> nics);

  u32 groups() const { return static_cast<u32>(first_.size()) - 1; }
  std::span<const Nic> members(u32 group) const {
    return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
  }
  // The NIC to follow to this destination for the whole group; the destination itself if there is no other.
  Nic follow(u32 group, Nic to) const {
    const auto alike = members(group);
    return alike[alike[0] == to && alike.size() > 1];
  }

 private:
  std::vector<Nic> members_;
  std::vector<u32> first_ = {0};  // by group: its first member; with one entry more at the end
};

}  // namespace banyan::flow
