#include "cli/choice_output.hpp"

#include <fmt/format.h>

#include <ostream>

namespace banyan::cli {
namespace {

// Cells of a table by groups: what f(cell number) says.
template <class F>
void print_by_groups(std::ostream& out, const ChoiceReport& report, F f) {
  for (u32 from = 0; from < report.groups; ++from) {
    out << fmt::format("{:17}Q{:<3}", "", from);
    for (u32 to = 0; to < report.groups; ++to)
      out << fmt::format(" {:>9}", f(std::size_t{from} * report.groups + to));
    out << '\n';
  }
}

std::string share(u64 part, u64 whole) {
  if (whole == 0) return "-";
  if (part == whole || part == 0) return part == 0 ? "none" : "all";
  return fmt::format("{:.2f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string verdict(u64 part, u64 whole) {
  return part == whole ? fmt::format("yes, all {} pairs", whole)
                       : fmt::format("NO, {} of {} pairs", part, whole);
}

}  // namespace

void print_choice(std::ostream& out, const ChoiceReport& report) {
  const ChoiceCriteria all = report.all();
  out << "Addresses are chosen by size and place; of pairs on different switches, rows the source's group:\n";
  const auto criterion = [&](std::string_view name, u64 ChoiceCriteria::*held) {
    out << fmt::format("  {:<32}{}\n", name, verdict(all.*held, all.pairs));
    if (all.*held == all.pairs || report.groups > 8) return;
    print_by_groups(out, report, [&](std::size_t cell) {
      return share(report.criteria[cell].*held, report.criteria[cell].pairs);
    });
  };
  criterion("(1) small: shortest paths", &ChoiceCriteria::small_shortest);
  criterion("(2) large: longer paths", &ChoiceCriteria::large_around);
  criterion("(3) both can be chosen", &ChoiceCriteria::both);
  out << "  (4) is the verdict above\n";
}

}  // namespace banyan::cli
