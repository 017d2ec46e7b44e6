// The channels of the paths between some hosts, each pair followed once, for those who try many orders of
// ranks on these hosts. The ways of a pair are one: a channel and the share of the pair's demand on it.
#pragma once
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "flow/measure.hpp"
#include "flow/way_lister.hpp"

namespace banyan::flow {

class PairPaths {
 public:
  struct Part {
    u32 channel;   // a number among the channels that some pair uses
    double share;  // of the demand, or of what the channel can carry
  };

  // Memory grows with the square of the number of hosts. The source must not look at the size of messages.
  PairPaths(const WayLister& lister, std::span<const Host> hosts, Measure measure, unsigned threads);

  std::span<const Part> parts(u32 from, u32 to) const {
    const std::vector<std::size_t>& first = first_[from];
    return std::span(parts_[from]).subspan(first[to], first[to + 1] - first[to]);
  }
  u32 hosts() const { return static_cast<u32>(parts_.size()); }
  u32 channels() const { return channels_; }
  double mean_parts() const;  // of a pair
  // A pair with a way that does not arrive.
  const std::optional<std::pair<u32, u32>>& lost() const { return lost_; }

 private:
  std::vector<std::vector<Part>> parts_;         // by source
  std::vector<std::vector<std::size_t>> first_;  // by source: where the parts of a destination begin
  u32 channels_ = 0;
  std::optional<std::pair<u32, u32>> lost_;
};

}  // namespace banyan::flow
