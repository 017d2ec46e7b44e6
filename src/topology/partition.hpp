// Splits a graph in two: the cost of a cut, and its improvement (Fiduccia and Mattheyses, DAC 1982).
// bisection.hpp uses it.
#pragma once
#include <span>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

// Units that a cut does not split: switches with all hosts that are cabled to them. A host on several
// switches, also of several rails, joins these into one unit. Machines that are no hosts are left out.
class Units {
 public:
  struct Arc {
    u32 to, cables;
  };
  struct Hosts {
    u32 cables, count;  // `count` hosts with `cables` cables each
  };

  explicit Units(const Fabric& fabric);

  u32 size() const { return static_cast<u32>(hosts_.size()); }
  u32 with_hosts() const {
    return with_hosts_;
  }  // units with hosts come first, in order of their first hosts
  u32 hosts() const { return all_hosts_; }
  u32 hosts(u32 unit) const { return hosts_[unit]; }
  u32 largest() const { return largest_; }  // maximum number of hosts in a unit
  u32 first_host(u32 unit) const { return first_host_[unit]; }
  std::span<const Arc> arcs(u32 unit) const { return part(arcs_, first_arc_, unit); }
  std::span<const Hosts> kinds(u32 unit) const { return part(kinds_, first_kind_, unit); }
  std::size_t arcs() const { return arcs_.size(); }
  u32 max_cables() const { return max_cables_; }  // maximum over the hosts

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, const std::vector<u32>& first, u32 i) {
    return std::span(all).subspan(first[i], first[i + 1] - first[i]);
  }
  // Hosts that send, by their order, then switches.
  u32 item(const Fabric& fabric, Node node) const {
    return fabric.is_switch(node) ? index(node) - fabric.nics() + hosts()
                                  : order_[fabric.host(fabric.nic(node))];
  }
  void order_hosts(const Fabric& fabric);
  std::vector<u32> number(const Fabric& fabric);  // the unit of every item
  void add_arcs(const Fabric& fabric, const std::vector<u32>& unit_of);
  void add_kinds(const Fabric& fabric, const std::vector<u32>& unit_of);

  static constexpr u32 none_ = ~u32{0};
  u32 with_hosts_ = 0, all_hosts_ = 0, largest_ = 0, max_cables_ = 0;
  IdVector<Host, u32> order_;  // among those that send; none_ for others
  std::vector<u32> hosts_, first_host_, first_arc_ = {0}, first_kind_ = {0};
  std::vector<Arc> arcs_;
  std::vector<Hosts> kinds_;
};

using Sides = std::vector<u8>;  // 0 or 1, by unit

// A cut while units change sides. Its cost is the number of cables between units of different sides, plus
// those of the hosts that must change sides alone to make the halves equal.
class Cut {
 public:
  Cut(const Units& units, Sides sides);

  void flip(u32 unit);
  i64 gain(u32 unit) const;  // by how much flipping it lowers the number of cut cables between units
  u8 side(u32 unit) const { return sides_[unit]; }
  const Sides& sides() const { return sides_; }
  u32 hosts(u8 side) const { return hosts_[side]; }
  u32 alone() const;  // hosts that must change sides alone
  bool is_allowed() const {
    return alone() <= units_.largest() / 2;
  }  // uneven only as far as units are indivisible
  u64 cost() const;

 private:
  void count(u32 unit, u8 side, bool arrives);

  const Units& units_;
  Sides sides_;
  u32 hosts_[2] = {0, 0};
  std::vector<u32> by_cables_[2];  // hosts of a side with so many cables
  u64 between_ = 0;
};

// Lowers the cost of an allowed cut until a pass over all units finds no improvement.
Sides refine(const Units& units, Sides sides);

}  // namespace banyan::topology
