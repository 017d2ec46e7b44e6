#include "traffic/collectives/halving.hpp"

namespace banyan::traffic {

// In step t members v and v xor 2^t share what they have; the lower one keeps the smaller part.
Halving::Halving(u32 ranks, Elements vector)
    : core_(std::bit_floor(ranks)), extra_(ranks - core_), vector_(vector) {
  std::vector<u64> has(core_, vector.count);
  for (u32 bit = 1; bit < core_; bit <<= 1) {
    std::vector<u64> keep(core_), send(core_);
    for (u32 v = 0; v < core_; ++v) {
      keep[v] = (v & bit) == 0 ? has[v] / 2 : has[v] - has[v] / 2;
      send[v] = has[v] - keep[v];
    }
    has = keep;
    kept_.push_back(std::move(keep));
    sent_.push_back(std::move(send));
  }
}

Schedule Halving::fold() const {
  if (extra_ == 0) return stored({});
  const u64 left = vector_.count / 2 * vector_.size, right = vector_.bytes() - left;
  std::vector<std::vector<Demand>> rounds(2);
  for (u32 i = 0; i < extra_; ++i) {
    rounds[0].push_back(message(2 * i, 2 * i + 1, right));
    rounds[0].push_back(message(2 * i + 1, 2 * i, left));
    rounds[1].push_back(message(2 * i + 1, 2 * i, right));
  }
  return stored(std::move(rounds));
}

Schedule Halving::halve() const {
  return {steps(), [self = *this](u64 round, std::vector<Demand>& out) {
            for (u32 v = 0; v < self.core_; ++v)
              out.push_back(message(self.rank(v), self.rank(v ^ (u32{1} << round)),
                                    self.sent_[round][v] * self.vector_.size));
          }};
}

}  // namespace banyan::traffic
