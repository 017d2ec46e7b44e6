// The two halves of zahavi10: what is proved, and what is measured.
#pragma once
#include "study/paper.hpp"

namespace banyan::study {

void zahavi10_theorems(Reproduction& out, const PaperOptions& options);
void zahavi10_cluster(Reproduction& out, const PaperOptions& options);

}  // namespace banyan::study
