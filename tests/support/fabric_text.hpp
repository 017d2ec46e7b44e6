// A fabric as sorted lines of names, printed ports and cables: what formats carry that do not keep numbers.
#pragma once
#include <string>

#include "fabric/fabric.hpp"

namespace banyan::tests {

std::string fabric_text(const Fabric& fabric, bool with_link_classes);

}  // namespace banyan::tests
