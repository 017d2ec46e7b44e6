// The page of `banyan size`: price against throughput first, then the candidates and where prices come from.
#pragma once
#include <iosfwd>
#include <string>

#include "ask/size.hpp"

namespace banyan::report {

void write_report(std::ostream& out, const ask::SizeAnswer& answer, const ask::SizeOptions& asked,
                  const std::string& command);

}  // namespace banyan::report
