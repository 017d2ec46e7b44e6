// The parts of petrini01: the trees, what crosses the network, what two hosts measure, what many do.
#pragma once
#include "papers/paper.hpp"

namespace banyan::papers {

void petrini01_trees(Reproduction& out);
void petrini01_network(Reproduction& out, const StudyRows& rows, bool quick);
void petrini01_pings(Reproduction& out, const StudyRows& rows, bool quick);
void petrini01_many(Reproduction& out, const StudyRows& rows, bool quick);
void petrini01_levels(Reproduction& out, const StudyRows& rows, bool quick);

}  // namespace banyan::papers
