#include "engines/engine.hpp"

namespace banyan {

#define ENGINE(name) Engine name##_engine();
#include "engines/engines.def"
#undef ENGINE

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = {
#define ENGINE(name) name##_engine(),
#include "engines/engines.def"
#undef ENGINE
  };
  return all;
}

}  // namespace banyan
