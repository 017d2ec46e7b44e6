// A family of fabrics: how it is written and how its shape is made. Families are listed in families.def.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "topology/notation.hpp"
#include "topology/topology.hpp"

namespace banyan {

struct Made {
  Shape shape;
  std::string remark;  // something the user should hear, such as a count that was rounded up

  template <class S>
  Made(S s, std::string r = "") : shape(std::move(s)), remark(std::move(r)) {}  // NOLINT: shapes convert
};

struct Family {
  std::string_view name;      // as Notation::name has it
  std::string_view notation;  // its form
  std::string_view example;   // small; the property tests build it
  std::string_view summary;
  std::string_view source;
  Made (*make)(const Notation&);
};

const std::vector<Family>& families();

}  // namespace banyan
