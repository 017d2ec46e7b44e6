// Family: the notation of a family of fabrics and how to make its shape. Families are listed in families.def.
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/registry.hpp"
#include "topology/notation.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

// The result of a family: a shape or, where it has no closed form, the fabric itself.
struct FamilyResult {
  std::variant<Shape, Fabric> what;
  std::string remark;  // a note for the user, such as a count that was rounded up

  template <class S>
    requires std::constructible_from<Shape, S>
  FamilyResult(S s, std::string r = "")
      : what(Shape(std::move(s))), remark(std::move(r)) {}  // NOLINT: shapes convert
  FamilyResult(Fabric fabric) : what(std::move(fabric)) {}  // NOLINT
};

class Proposals;  // proposals.hpp

struct Family {
  std::string_view name;      // as Notation::name has it
  std::string_view notation;  // its form
  std::string_view example;   // small; the property tests build it
  std::string_view summary;
  std::string_view source;
  FamilyResult (*make)(const Notation&);
  // Its shapes for a machine of some size; nothing for a family whose shapes another family proposes.
  void (*propose)(const Proposals&) = nullptr;
};

const Registry<Family>& families();
const Family& family_of(const Notation& notation);  // throws InputError, naming the nearest one

}  // namespace banyan::topology
