// The two halves of zahavi10: what is proved, and what is measured.
#pragma once
#include "papers/paper.hpp"

namespace banyan::papers {

void zahavi10_theorems(Reproduction& out, const StudyRows& rows);
void zahavi10_cluster(Reproduction& out, const StudyRows& rows, bool quick);

}  // namespace banyan::papers
