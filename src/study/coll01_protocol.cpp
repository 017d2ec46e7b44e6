// Coll et al. 2001: the bound of static allocation, and the protocol of dynamic allocation by exhaustive
// search.
#include "base/error.hpp"
#include "flit/rails/explore.hpp"
#include "study/coll01.hpp"

namespace banyan::study::coll01 {

void protocol(Reproduction& out) {
  const auto can_be = [](u32 rail_count) {
    try {
      prepare_policy("static", {.hosts = 16, .rails = rail_count});
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  u32 least = 1;
  while (!can_be(least)) ++least;
  out.number("static.bound", least);
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const std::string& what, const Explored& found) {
    rows.push_back({what, std::to_string(found.states), std::to_string(found.steps),
                    found.is_good()  ? "all is delivered"
                    : found.livelock ? "can go on for ever"
                                     : "wrong"});
  };
  Exploration printed = cycle_of(3);
  printed.tie = TieRule::as_printed;
  const Explored strict_found = explore(cycle_of(3)), printed_found = explore(printed);
  row("three NICs in a cycle, ties by node number", strict_found);
  row("three NICs in a cycle, ties as printed", printed_found);
  row("two NICs that want each other", explore(cycle_of(2)));
  Exploration two_rails = cycle_of(2);
  two_rails.rails = 2, two_rails.stripe = 1;
  for (auto& wish : two_rails.wishes) wish.flits = 2;
  row("the same with two rails and striping", explore(two_rails));
  out.show("Every interleaving of the protocol", {"case", "states", "steps", "verdict"}, std::move(rows));
  out.ordering("tie.strict", strict_found.is_good());
  out.ordering("tie.printed", printed_found.livelock.has_value());
}

}  // namespace banyan::study::coll01
