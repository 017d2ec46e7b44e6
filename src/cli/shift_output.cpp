#include "cli/shift_output.hpp"

#include <fmt/format.h>

#include <ostream>

#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

// Of the flows on the worst channel; the rest is counted.
constexpr std::size_t max_listed = 16;

std::string load_text(const ShiftVerdict& v) {
  return v.units % v.per == 0 ? std::to_string(v.units / v.per)
                              : fmt::format("{}/{} = {:.4g}", v.units, v.per, v.load());
}

}  // namespace

void print_shifts(std::ostream& out, const Fabric& fabric, const ShiftVerdict& v) {
  const u32 shifts = fabric.hosts() - 1;
  if (v.worst_shift == 0)
    out << fmt::format("no flow arrives in any of the {} shifts\n", shifts);
  else if (v.contention_free())
    out << fmt::format("no channel carries more than one flow in any of the {} shifts\n", shifts);
  else
    out << fmt::format(
        "a channel carries a load of {}, by a shift of {}; none more in any of the {} shifts\n", load_text(v),
        v.worst_shift, shifts);
  if (v.left_out)
    out << fmt::format("  {} of {} pairs do not arrive, or not on every way; what does not loads nothing\n",
                       v.left_out, v.pairs);
  if (v.contention_free()) return;
  out << fmt::format("  {} -> {} carries\n", port_name(fabric, v.channel), fabric.name(fabric.to(v.channel)));
  for (std::size_t i = 0; i < std::min(max_listed, v.flows.size()); ++i) {
    const ShiftFlow& flow = v.flows[i];
    out << fmt::format("    {} -> {}", fabric.name(fabric.node(flow.from)),
                       fabric.name(fabric.node(flow.to)));
    out << (flow.units == v.per ? "\n" : fmt::format(", {}/{} of it\n", flow.units, v.per));
  }
  if (v.flows.size() > max_listed) out << fmt::format("    and {} more\n", v.flows.size() - max_listed);
}

}  // namespace banyan::cli
