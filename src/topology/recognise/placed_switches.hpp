// Switches of one plane that were placed in a shape by their cables: how well they fit, which places are
// certain, and the hosts on them, in shapes in which every switch has as many.
#pragma once
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "topology/recognise/hosts_per_switch.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::topology {

// The switches of a shape and their cables.
std::shared_ptr<const SwitchNeighbours> ideal_switches(const Shape& shape);

// What a direct network of one rail shows, or why it cannot be one.
struct PlaneOfSwitches {
  RawSwitches raw;
  HostsPerSwitch hosts;
};
std::variant<PlaneOfSwitches, Unrecognised> read_plane(const Fabric& fabric);

class PlacedSwitches {
 public:
  // `ideal` is that of the shape. `place`: by switch of the raw fabric, its number in the shape or nowhere.
  // Of two at one place, none stands there. `raw` must outlive it.
  PlacedSwitches(const RawSwitches& raw, Shape shape, std::shared_ptr<const SwitchNeighbours> ideal,
                 std::vector<u32> place);

  const Shape& shape() const { return shape_; }
  u64 missing() const { return missing_; }              // cables of the shape between placed switches
  u64 wrong() const { return wrong_ends_.size() / 2; }  // cables between placed switches, not of the shape
  u64 faults() const { return missing_ + wrong() + unplaced_; }

  // With the hosts, or why other places would fit as well. A switch that could change places with another at
  // the cost of few cables stays undecided. `is_doubtful`: only what is intact is this shape.
  std::variant<Candidate, Unrecognised> candidate(const Fabric& fabric, const HostsPerSwitch& hosts,
                                                  bool is_doubtful = false);

  // Why some other places would fit as well. Switches that could change places with others at the cost of
  // fewer than `firm` cables lose theirs, but not to one with the same neighbours in the shape.
  std::optional<Unrecognised> doubt(u32 firm);
  const std::vector<u32>& places() const { return place_; }

 private:
  u32 ideal_cables(u32 x, u32 y) const;
  // How many cables of a switch would be right if it stood at x, and `other` at y.
  u32 explained(u32 sw, u32 x, u32 other, u32 y) const;
  u32 hold(u32 sw) const;  // how many cables fewer its best exchange explains
  bool is_intact(const Fabric& fabric, u32 hosts) const;
  std::vector<bool> suspects(u32 hosts) const;  // a host may hang there only because its cable was swapped

  const RawSwitches& raw_;
  Shape shape_;
  std::shared_ptr<const SwitchNeighbours> graph_;  // of the shape
  const SwitchNeighbours& ideal_;
  std::vector<u32> place_, at_;  // by switch; by place
  std::vector<u32> wrong_ends_{};
  u64 missing_ = 0, cables_ = 0;
  u32 unplaced_ = 0;
};

}  // namespace banyan::topology
