// Whether packets can wait for each other in a circle: a channel, with a lane, depends on the one that a
// packet on it may take next.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::flit {

class LaneDependencies {
 public:
  LaneDependencies(const Fabric& fabric, u32 classes)
      : fabric_(fabric), classes_(classes), channels_(fabric.channels().size()) {
    for (const Node v : fabric.nodes()) max_ports_ = std::max(max_ports_, fabric.ports(v));
    follows_.resize(std::size_t{channels_} * classes_ * max_ports_ * classes_);
  }
  void add(Channel from, u32 from_classes, u32 port, u32 classes) {
    for (u32 a = from_classes; a != 0; a &= a - 1)
      for (u32 b = classes; b != 0; b &= b - 1)
        follows_[(std::size_t{index(from)} * classes_ + static_cast<u32>(std::countr_zero(a))) * max_ports_ *
                     classes_ +
                 port * classes_ + static_cast<u32>(std::countr_zero(b))] = true;
  }
  bool have_a_circle() const {
    std::vector<u32> before(std::size_t{channels_} * classes_);
    each([&](u32, u32 b) { ++before[b]; });
    std::vector<u32> free;
    for (u32 i = 0; i < before.size(); ++i)
      if (before[i] == 0) free.push_back(i);
    std::size_t done = 0;
    for (; done < free.size(); ++done)
      each_of(free[done], [&](u32 b) {
        if (--before[b] == 0) free.push_back(b);
      });
    return done < before.size();
  }

 private:
  template <class F>
  void each_of(u32 a, F&& f) const {
    const Channel channel{a / classes_};
    if (!fabric_.cabled(channel)) return;
    const Node node = fabric_.to(channel);
    for (u32 port = 0; port < fabric_.ports(node); ++port)
      for (u32 c = 0; c < classes_; ++c)
        if (follows_[std::size_t{a} * max_ports_ * classes_ + port * classes_ + c])
          f((index(*fabric_.channels(node).begin()) + port) * classes_ + c);
  }
  template <class F>
  void each(F&& f) const {
    for (u32 a = 0; a < channels_ * classes_; ++a) each_of(a, [&](u32 b) { f(a, b); });
  }

  const Fabric& fabric_;
  u32 classes_, channels_, max_ports_ = 1;
  std::vector<bool> follows_;  // by channel and class; port and class of what comes next
};

}  // namespace banyan::flit
