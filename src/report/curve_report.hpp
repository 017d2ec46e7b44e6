// The page of `banyan simulate --curve` and `--saturation`: latency and accepted throughput against offered
// load, then the points.
#pragma once
#include <iosfwd>
#include <string>

#include "ask/answer_head.hpp"
#include "ask/simulate.hpp"

namespace banyan::report {

void write_report(std::ostream& out, const ask::AnswerHead& head, const ask::SimulatedWith& options,
                  const ask::CurveAnswer& answer, const std::string& command);
void write_report(std::ostream& out, const ask::AnswerHead& head, const ask::SimulatedWith& options,
                  const ask::SaturationAnswer& answer, const std::string& command);

}  // namespace banyan::report
