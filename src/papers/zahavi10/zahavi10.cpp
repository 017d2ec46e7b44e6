// Zahavi: d-mod-k on real life fat-trees.
#include "papers/zahavi10/zahavi10.hpp"

namespace banyan::papers {
namespace {

void judge_zahavi10(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  zahavi10_theorems(out, rows);
  zahavi10_cluster(out, rows, options.quick);
}

}  // namespace

Paper zahavi10_paper() {
  return {
      "zahavi10",
      "Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees",
      judge_zahavi10};
}

}  // namespace banyan::papers
