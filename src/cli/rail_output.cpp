#include "cli/rail_output.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/units.hpp"
#include "cli/counted.hpp"

namespace banyan::cli {
namespace {

constexpr std::size_t max_columns = 16;

// A rail, r1; or of NICs without one, n1.
std::string column_name(const Fabric& fabric, std::size_t column) {
  return fmt::format("{}{}", column < fabric.endpoints().rails() ? 'r' : 'n', column);
}

void print_table(const Fabric& fabric, const std::vector<std::vector<double>>& bytes, bool in_bytes) {
  std::cout << fmt::format("{:<17}", "  from, to");
  for (std::size_t to = 0; to < bytes.size(); ++to)
    std::cout << fmt::format(" {:>10}", column_name(fabric, to));
  std::cout << '\n';
  for (std::size_t from = 0; from < bytes.size(); ++from) {
    std::cout << fmt::format("  {:<15}", column_name(fabric, from));
    for (const double amount : bytes[from])
      std::cout << fmt::format(" {:>10}", in_bytes ? bytes_text(amount) : fmt::format("{:.6g}", amount));
    std::cout << '\n';
  }
}

void print_forbidden(const ask::RailTraffic& rails) {
  std::cout << fmt::format("forbidden         {} across rails:\n",
                           counted(*rails.forbidden, "pair sends", "pairs send"));
  for (const auto& one : *rails.crossings)
    std::cout << fmt::format("                  rank {} by {} to rank {} at {}\n", one.source, one.source_nic,
                             one.destination, one.destination_nic);
  if (*rails.forbidden > rails.crossings->size())
    std::cout << fmt::format("                  and {} more\n", *rails.forbidden - rails.crossings->size());
}

}  // namespace

void print_rails(const Fabric& fabric, const std::optional<ask::RailTraffic>& rails, bool in_bytes) {
  if (!rails || !rails->crosses()) return;
  std::cout << fmt::format("across rails      {:.4g} % of what is sent\n", 100 * rails->crossing_share);
  if (rails->bytes.size() <= max_columns) print_table(fabric, rails->bytes, in_bytes);
  if (rails->breaks_rule()) print_forbidden(*rails);
}

Exit rails_exit(const std::optional<ask::RailTraffic>& rails) {
  return rails && rails->breaks_rule() ? Exit::verdict_no : Exit::done;
}

}  // namespace banyan::cli
