// --report of describe, diff and fail: a page for a ticket.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ask/fabric_router.hpp"
#include "ask/fail.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/verb.hpp"
#include "report/ticket.hpp"

namespace banyan::cli {

struct TicketArgument {
  std::string file;

  void declare(Arguments& arguments) {
    arguments.output("--report", file, "FILE",
                     "write a page for a ticket: what is broken, what it costs, what to do, and a map");
  }
  bool is_given() const { return !file.empty(); }
  // What was typed.
  std::string command(std::string_view verb, const std::vector<std::string>& positional,
                      const FabricArgument& fabric, const std::string& more = "") const;
  // Draws the fabric under uniform traffic, as the best static engine or the given router routes it.
  void write(report::Ticket ticket, const Topology& topology, unsigned threads,
             const ask::FabricRouter* router = nullptr) const;
};

// What is different without the cables: a row for each number of `fail`.
std::vector<report::Ticket::Cost> ticket_costs(const ask::FailAnswer& answer, const std::string& traffic);
// The same for a fabric that was whole; none where the engine does not apply or nothing is missing.
std::vector<report::Ticket::Cost> ticket_costs(const Topology& whole, const Topology& after,
                                               unsigned threads);

}  // namespace banyan::cli
