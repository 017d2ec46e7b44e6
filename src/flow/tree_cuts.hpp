// The traffic that leaves and enters each subtree of a fat-tree, and the bound ML(TM) that follows: some
// cable of the subtree carries at least its share (mahapatra, lemma 1). Subtrees of height 0 are the NICs.
// Missing cables are not counted, so it is a bound on degraded trees too.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "flow/measure.hpp"
#include "topology/topology.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

class TreeCuts {
 public:
  explicit TreeCuts(const Topology& topology,
                    Measure measure = Measure::demand);  // requires that the shape is a Pgft

  struct Traffic {
    std::vector<double> out, in;  // by subtree
    void clear();
  };
  Traffic none() const { return {std::vector<double>(links_.size()), std::vector<double>(links_.size())}; }

  template <u32 first = 0>  // ignores subtrees below this height
  void add(Nic from, Nic to, double demand, Traffic& traffic) const {
    const u32 *a = &subtree_[std::size_t{index(from)} * height_],
              *b = &subtree_[std::size_t{index(to)} * height_];
    for (u32 l = first; l < height_ && a[l] != b[l]; ++l) {
      traffic.out[a[l]] += demand;
      traffic.in[b[l]] += demand;
    }
  }
  // Uniform traffic: every rank sends 1 in total, equally to all others.
  Traffic uniform(std::span<const Nic> nics) const;

  double bound(const Traffic& traffic) const;
  // A host that sends to itself loads nothing. Throws InputError for a flow between planes.
  double bound(std::span<const Flow> flows) const;

  u32 height() const { return height_; }
  std::span<const u32> subtrees(Nic nic) const {  // by height
    return std::span(subtree_).subspan(std::size_t{index(nic)} * height_, height_);
  }
  std::span<const double> links() const { return links_; }  // by subtree: cables up, or their capacity

 private:
  Planes planes_;
  u32 height_;
  std::vector<u32> subtree_;   // by NIC and height, below the root
  std::vector<double> links_;  // by subtree: cables up, or their capacity
};

// Of a fat-tree; nothing for other shapes.
std::optional<TreeCuts> tree_cuts(const Topology& topology, Measure measure = Measure::demand);

}  // namespace banyan::flow
