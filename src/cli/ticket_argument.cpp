#include "cli/ticket_argument.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/counted.hpp"

namespace banyan::cli {

std::string TicketArgument::command(std::string_view verb, const std::vector<std::string>& positional,
                                    const FabricArgument& fabric, const std::string& more) const {
  std::string out = fmt::format("banyan {}", verb);
  for (const std::string& text : positional) out += " " + quoted_for_shell(text);
  for (const std::string& fault : fabric.without) out += " --without " + quoted_for_shell(fault);
  return out + more + " --report " + quoted_for_shell(file);
}

void TicketArgument::write(report::Ticket ticket, const Topology& topology, unsigned threads,
                           const ask::FabricRouter* router) const {
  const ask::FabricRouter by = router ? *router : ask::router({}, topology);
  const RouteResult routed = by.route(topology);
  ask::Situation at{.topology = topology};
  at.threads = threads;
  if (const auto* routing = std::get_if<Routing>(&routed)) {
    at.routing = routing;
    at.traffic = "uniform";
  }
  write_whole(file, [&](std::ostream& out) { report::write_ticket(out, ticket, at, by.name); });
}

std::vector<report::Ticket::Cost> ticket_costs(const ask::FailAnswer& answer, const std::string& traffic) {
  const ask::FailAnswer::Side &x = answer.before, &y = answer.after;
  const Verdict &a = x.verdict, &b = y.verdict;
  const auto number = [](const auto& value) { return fmt::format("{}", value); };
  const auto load = [](double value) { return fmt::format("{:.4g}", value); };
  return {{"pairs of NICs that arrive", number(a.pairs - a.failing_pairs), number(b.pairs - b.failing_pairs)},
          {"all well", x.is_well() ? "yes" : "no", y.is_well() ? "yes" : "no"},
          {"average path, channels", load(a.average_path), load(b.average_path)},
          {"destinations on a channel, at most", number(a.max_destinations_per_channel),
           number(b.max_destinations_per_channel)},
          {fmt::format("maximum load, {}", traffic), load(x.max_load.mean), load(y.max_load.mean)},
          {"flows lost", flows_text(x.undelivered), flows_text(y.undelivered)}};
}

std::vector<report::Ticket::Cost> ticket_costs(const Topology& whole, const Topology& after,
                                               unsigned threads) {
  if (whole.fabric.links() == after.fabric.links()) return {};
  ask::Situation at{.topology = whole, .traffic = "permutation"};
  at.threads = threads;
  const auto found = ask::fail(at, after, ask::router({}, after), {});
  const auto* answer = std::get_if<ask::FailAnswer>(&found);
  return answer ? ticket_costs(*answer, at.traffic) : std::vector<report::Ticket::Cost>{};
}

}  // namespace banyan::cli
