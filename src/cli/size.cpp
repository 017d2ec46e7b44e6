// banyan size: which fabrics a machine could have, best first.
#include "ask/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/answer_output.hpp"
#include "cli/options_argument.hpp"
#include "study/prices.hpp"

namespace banyan::cli {
namespace {

// 1234567 as "1.235M".
std::string short_number(double value) {
  constexpr std::array<std::pair<double, std::string_view>, 3> units = {{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [factor, unit] : units)
    if (value >= factor) return fmt::format("{:.4g}{}", value / factor, unit);
  return fmt::format("{:.4g}", value);
}

std::string in_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void print_table(const std::vector<ask::CandidateAnswer>& candidates) {
  std::size_t width = 6;
  for (const auto& c : candidates) width = std::max(width, c.fabric.size());
  std::cout << fmt::format("  {:<{}} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9}  front\n", "fabric",
                           width, "hosts", "switches", "links", "bisection", "worst", "diameter", "price",
                           "watts");
  for (const auto& c : candidates)
    std::cout << fmt::format("  {:<{}} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9}  {}\n", c.fabric,
                             width, c.hosts, c.switches, c.links, in_percent(c.bisection_ratio),
                             in_percent(c.throughput_worst),
                             fmt::format("{}{}", c.distances_exact ? "" : "~", c.diameter),
                             short_number(c.price), short_number(c.watts), c.on_front ? "*" : "");
}

void print_text(const ask::SizeAnswer& answer) {
  if (answer.candidates.empty() && answer.nearest.empty()) {
    std::cout << "No family has such a fabric.\n";
    return;
  }
  if (answer.candidates.empty()) {
    std::cout << fmt::format("None of {} candidates is within all limits. The nearest:\n", answer.considered);
    print_table(answer.nearest);
    for (const auto& limit : answer.unmet)
      std::cout << fmt::format("  --{} {:.6g}: this one has {:.6g}\n", limit.option, limit.asked,
                               limit.nearest);
  } else {
    print_table(answer.candidates);
    std::cout << fmt::format("{} of {} candidates within all limits, {} considered. ",
                             answer.candidates.size(), answer.within_limits, answer.considered);
    std::cout << "'worst' bounds the throughput under the worst traffic; * none is better in everything.\n";
  }
  std::cout << fmt::format(
      "Prices in {}{}.\n", answer.currency,
      answer.placeholder_prices ? ": PLACEHOLDERS, nobody's offer; name your own with --prices" : "");
}

class Size {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::SizeAnswer>()}; }

  void declare(Arguments& arguments) {
    options_.declare(arguments);
    arguments.values("--family", families_, "NAME", "only of this family; may be repeated");
    arguments.file("--prices", prices_, "FILE",
                   "a price list; without one, placeholders that are nobody's prices");
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::SizeAnswer found = ask::size(options_.read(), families_, open_prices(prices_));
    if (as_json_)
      print_json({}, found);
    else
      print_text(found);
    return found.candidates.empty() ? Exit::verdict_no : Exit::done;
  }

 private:
  OptionsArgument<ask::SizeOptions> options_;
  std::vector<std::string> families_;
  std::string prices_;
  bool as_json_ = false;
};

}  // namespace

Verb size_verb() {
  return make_verb<Size>(
      "size", "Which fabrics a machine could have, best first, and what they cost",
      "banyan size --hosts 2048 --ports 64\n"
      "  banyan size --hosts 256 --ports 64 --rails 8 --taper 2 --family PGFT\n"
      "  banyan size --hosts 4000 --ports 64 --least-bisection 0.5 --greatest-diameter 5 --json");
}

}  // namespace banyan::cli
