// Guesses at direct networks of one rail, beside those of recognise.hpp.
#pragma once
#include <variant>

#include "topology/recognise/recognise.hpp"

namespace banyan::topology {

// A torus or a mesh of two dimensions or more, or one ring. A ring that lacks a cable is not told from a
// line.
std::variant<Candidate, Unrecognised> guess_torus(const Fabric& raw);
// Groups of three switches or more, whose global cables are in relative order.
std::variant<Candidate, Unrecognised> guess_dragonfly(const Fabric& raw);

// Slim Fly, PolarFly, PolarStar, Kautz, twisted torus, HammingMesh, Dragonfly+, with all hosts; some cables
// between switches may be missing. It gives a reason only where a member has as many switches and a few
// cables more.
std::variant<Candidate, Unrecognised> guess_listed(const Fabric& raw);

}  // namespace banyan::topology
