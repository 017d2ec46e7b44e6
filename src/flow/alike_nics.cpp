#include "flow/alike_nics.hpp"

#include <algorithm>
#include <numeric>

namespace banyan::flow {
namespace {

std::vector<Node> attachment(const Fabric& fabric, Nic nic) {
  std::vector<Node> out;
  for (Channel c : fabric.channels(fabric.node(nic))) out.push_back(fabric.to(c));
  return out;
}

}  // namespace

AlikeNics::AlikeNics(const Fabric& fabric, const Routing& routing, std::span<const Nic> nics)
    : members_(nics.begin(), nics.end()) {
  const bool alike = routing.source.reads() != Reads::nic &&
                     std::visit([](const auto& f) { return enters_alike(f); }, routing.forward);
  if (!alike) {
    first_.resize(nics.size() + 1);
    std::iota(first_.begin(), first_.end(), 0u);
    return;
  }
  std::vector<std::pair<std::vector<Node>, Nic>> keyed;
  for (Nic nic : nics) keyed.emplace_back(attachment(fabric, nic), nic);
  std::sort(keyed.begin(), keyed.end());
  for (u32 i = 0; i < keyed.size(); ++i) {
    members_[i] = keyed[i].second;
    if (i > 0 && keyed[i].first != keyed[i - 1].first) first_.push_back(i);
  }
  first_.push_back(static_cast<u32>(keyed.size()));
}

}  // namespace banyan::flow
