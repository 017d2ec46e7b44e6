// Zahavi: d-mod-k on real life fat-trees.
#include "study/zahavi10.hpp"

namespace banyan::study {
namespace {

void run(Reproduction& out, const PaperOptions& options) {
  zahavi10_theorems(out, options);
  zahavi10_cluster(out, options);
}

}  // namespace

Paper zahavi10_paper() {
  return {
      "zahavi10",
      "Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees",
      run};
}

}  // namespace banyan::study
