// Recognises a shape in a raw graph: which PGFT, with planes, rails or several NICs of a host, or HyperX a
// fabric was meant to be, the place of every node in it, and the cables that are missing or wrong. It never
// answers wrongly; it reports what it cannot decide.
//
// This holds with up to a twentieth of the cables and of the hosts missing, and two cables swapped. A swap
// that gives the graph of the same shape again (two hosts that changed places) cannot be found.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

// A guess at what a fabric was meant to be; compare() tells how well it fits.
struct Candidate {
  Shape shape;
  u32 planes = 1;
  IdVector<Node, Node> place;  // node of the raw fabric -> node of build(shape, planes); none where undecided
  std::vector<std::string> doubts = {};  // the reasons why some nodes have no place, in words
  // Where a node stands unless a swap deceives, by node of the raw fabric; none where nothing tells. Empty:
  // only nodes with a place stand somewhere.
  IdVector<Node, Node> likely = {};
};

struct Unrecognised {
  std::string why;
};

// Each finds the best labelling of its kind, or none. A guess may be wrong; compare() judges it.
std::variant<Candidate, Unrecognised> guess_pgft(const Fabric& raw);
std::variant<Candidate, Unrecognised> guess_nics(const Fabric& raw);  // a tree with several NICs of a host
std::variant<Candidate, Unrecognised> guess_hyperx(const Fabric& raw);

// A cable of the ideal fabric that the raw one does not have, given by nodes of the ideal fabric and, where
// these are placed, of the raw one.
struct MissingCable {
  Node ideal_a, ideal_b;
  Node raw_a, raw_b;  // none<Node>: no node of the raw fabric certainly has this place
};

struct Recognition {
  Candidate candidate;
  std::vector<MissingCable> missing;
  std::vector<Link> wrong;          // cables of the raw fabric that the ideal one does not have
  std::vector<Node> undecided;      // nodes of the raw fabric without a place
  std::vector<std::string> doubts;  // what could not be decided, in words
};

// The places of the nodes, and those of undecided nodes where they are likely to stand and nobody else does.
IdVector<Node, Node> likely_places(const Candidate& candidate, u32 ideal_nodes);

// Compares the raw fabric with the ideal one, cable by cable. Cables of undecided nodes are neither right nor
// wrong, except a NIC's cable on a switch without hosts. What they are where these nodes are likely to stand,
// or what leaves may need for undecided NICs, does not count as missing.
Recognition compare(const Fabric& raw, Candidate candidate);

// The recognised shape, or the reason why there is none.
std::variant<Recognition, Unrecognised> recognise(const Fabric& raw);

// The fabric in the numbers of its shape. Names and port labels are kept, missing cables are in taken(),
// wrong cables are on ports after the ideal ones. An undecided node has the number of the place where it is
// likely to stand. Other undecided switches come after all others. Another undecided NIC gets a vacant
// number, at its own switch if possible; its cable then counts as wrong. If there are more such NICs than
// vacant numbers, the result is Irregular, in the raw numbers.
Topology as_topology(const Fabric& raw, const Recognition& recognition);

}  // namespace banyan::topology
