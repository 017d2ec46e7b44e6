// A page for a ticket: what is broken in a fabric, what that costs, and what to do in which order, with the
// fabric drawn as studies draw it.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "ask/situation.hpp"

namespace banyan::report {

struct Ticket {
  struct Cost {
    std::string what{}, before{}, after{};
  };
  std::string title{}, command{};
  std::string answer{};               // in a sentence
  std::vector<std::string> broken{};  // a line each
  std::vector<Cost> costs{};
  std::vector<std::string> steps{};  // in order
};

// The picture is that of `at`: its fabric without what is missing, coloured by its traffic if it has a
// routing.
void write_ticket(std::ostream& out, const Ticket& ticket, const ask::Situation& at,
                  const std::string& engine);

}  // namespace banyan::report
