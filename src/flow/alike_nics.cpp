#include "flow/alike_nics.hpp"

#include <algorithm>
#include <numeric>

#include "fabric/attachments.hpp"

namespace banyan::flow {

AlikeNics::AlikeNics(const Fabric& fabric, const Routing& routing, std::span<const Nic> nics)
    : members_(nics.begin(), nics.end()) {
  const bool alike = routing.source.reads() != Reads::nic &&
                     std::visit([](const auto& f) { return enters_alike(f); }, routing.forward);
  if (!alike) {
    first_.resize(nics.size() + 1);
    std::iota(first_.begin(), first_.end(), 0u);
    return;
  }
  std::sort(members_.begin(), members_.end(), [&](Nic a, Nic b) {
    const auto order = compare_cabling(fabric, a, b);
    return order != 0 ? order < 0 : a < b;
  });
  for (u32 i = 1; i < members_.size(); ++i)
    if (!cabled_alike(fabric, members_[i - 1], members_[i])) first_.push_back(i);
  first_.push_back(static_cast<u32>(members_.size()));
}

}  // namespace banyan::flow
