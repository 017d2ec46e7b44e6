// Recognising a shape in a raw graph: which PGFT or HyperX a fabric was meant to be, the place of every node
// in it, and the cables that are missing or wrong. It never answers wrongly: what it cannot decide, it says.
//
// What it stands for: up to a twentieth of the cables and of the hosts missing, and two cables swapped. A
// swap that gives the graph of the same shape again (two hosts that changed places) leaves nothing to find.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

// A guess at what a fabric was meant to be; compare() says how well it fits.
struct Candidate {
  Shape shape;
  u32 planes = 1;
  IdVector<Node, Node> place;  // node of the raw fabric -> node of build(shape, planes); none where undecided
  std::vector<std::string> doubts = {};  // why some nodes have no place, in words
};

struct Unrecognised {
  std::string why;
};

// Each finds the best labelling of its kind it can, or none; a guess may be wrong, compare() is the judge.
std::variant<Candidate, Unrecognised> guess_pgft(const Fabric& raw);
std::variant<Candidate, Unrecognised> guess_hyperx(const Fabric& raw);

// A cable of the ideal fabric that the raw one does not have, by nodes of the ideal fabric and, where these
// are placed, of the raw one.
struct MissingCable {
  Node ideal_a, ideal_b;
  Node raw_a, raw_b;  // none<Node>: no node of the raw fabric stands there
};

struct Recognition {
  Candidate candidate;
  std::vector<MissingCable> missing;
  std::vector<Link> wrong;          // cables of the raw fabric that the ideal one does not have
  std::vector<Node> undecided;      // nodes of the raw fabric without a place
  std::vector<std::string> doubts;  // what could not be decided, in words
};

// Holds the raw fabric against the ideal one, cable by cable. Cables of undecided nodes are neither right nor
// wrong, nor are those missing that their leaves may want them for, except a NIC's on a switch that has no
// hosts.
Recognition compare(const Fabric& raw, Candidate candidate);

// The recognised shape, or why there is none.
std::variant<Recognition, Unrecognised> recognise(const Fabric& raw);

// The fabric in the numbers of its shape: names and port labels kept, missing cables in taken(), wrong cables
// on ports behind the ideal ones, undecided switches behind all others. An undecided NIC gets a vacant
// number, at the switch it hangs on if there is one; its cable then counts as a wrong one. Irregular, in the
// raw numbers, when there are more such NICs than numbers.
Topology as_topology(const Fabric& raw, const Recognition& recognition);

}  // namespace banyan::topology
