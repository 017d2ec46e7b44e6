// Looks for the shape of a fabric that has none.
#pragma once
#include "formats/load.hpp"

namespace banyan::formats {

// As load_fabric() does it, for a fabric that was made or read elsewhere.
Loaded with_shape(FabricFile file);

}  // namespace banyan::formats
