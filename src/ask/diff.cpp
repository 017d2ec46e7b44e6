#include "ask/diff.hpp"

namespace banyan::ask {

DiffAnswer diff(const Fabric& plan, const Fabric& observed) { return {diff_cabling(plan, observed)}; }

}  // namespace banyan::ask
