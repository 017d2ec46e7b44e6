// Recognising a shape in a raw graph: which PGFT or HyperX a fabric was meant to be, the place of every node
// in it, and the cables that are missing or wrong. It never answers wrongly: what it cannot decide, it says.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/topology.hpp"

namespace banyan {

// A guess at what a fabric was meant to be; compare() says how well it fits.
struct Candidate {
  Shape shape;
  u32 planes = 1;
  IdVector<Node, Node> place;  // node of the raw fabric -> node of build(shape, planes); none where undecided
};

// Each finds the best labelling of its kind it can, or none; a guess may be wrong, compare() is the judge.
std::optional<Candidate> guess_pgft(const Fabric& raw);
std::optional<Candidate> guess_hyperx(const Fabric& raw);

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

struct Unrecognised {
  std::string why;
};

// The recognised shape, or why there is none.
std::variant<Recognition, Unrecognised> recognise(const Fabric& raw);

// The fabric in the numbers of its shape: names and port labels kept, missing cables in taken(), wrong cables
// and undecided nodes behind everything else.
Topology as_topology(const Fabric& raw, const Recognition& recognition);

}  // namespace banyan
