// A fabric as it is drawn: its switches in cells, few enough to see, and from each cell strands, that is all
// its cables of one kind, such as those up. Cables between the same cells meet in a hub: every one of its
// strands reaches all the others there.
#pragma once
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::report {

struct Drawing {
  enum class Kind : u8 { tree, grid, groups };
  struct Cell {
    std::string name;  // of its switch, or of its first and last
    u32 row = 0;       // the level, in a tree
    u32 group = 0;     // in a tree the subtree below the top; elsewhere what belongs together
    u32 switches = 0;  // of one plane
    bool operator==(const Cell&) const = default;
  };
  struct Strand {
    u32 cell, kind, hub, cables;  // cables as planned, in all planes; 0 is the kind of cables to hosts
    bool operator==(const Strand&) const = default;
  };

  Kind kind = Kind::groups;
  u32 planes = 1;                    // drawn on top of each other
  std::vector<u32> widths{};         // of a grid, in cells
  std::vector<std::string> kinds{};  // of strands
  std::vector<Cell> cells{};
  std::vector<Strand> strands{};
  IdVector<Channel, u32> strand_of{};  // by channel that leaves a switch, taken cables too; ~0 for others

  bool looks_like(const Drawing& other) const {
    return cells == other.cells && strands == other.strands && widths == other.widths;
  }
};

Drawing draw(const Topology& topology, u32 max_cells = 240);

// The heaviest channel of each strand, away from its cell and towards it, and its cables that are missing.
struct Shades {
  std::vector<double> out, in;
};
Shades shade(const Drawing& drawing, const Fabric& fabric, const IdVector<Channel, double>& load);
std::vector<u32> missing_cables(const Drawing& drawing, const Fabric& fabric);

}  // namespace banyan::report
