// banyan size: which fabrics a machine could have, best first.
#include "ask/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <set>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/answer_output.hpp"
#include "cli/options_argument.hpp"
#include "report/size_report.hpp"
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
    std::cout << fmt::format(
        "  {:<{}} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9}  {}\n", c.fabric, width, c.hosts,
        c.switches, c.links, (c.bisection_exact ? "" : "~") + in_percent(c.bisection_ratio),
        in_percent(c.throughput_worst), fmt::format("{}{}", c.distances_exact ? "" : "~", c.diameter),
        short_number(c.price), short_number(c.watts), c.on_front ? "*" : "");
}

// Since when, and who says so.
std::string origin(const std::vector<ask::OfferAnswer>& prices) {
  std::set<std::string> dates, sources;
  for (const auto& line : prices) dates.insert(line.date), sources.insert(line.source);
  return fmt::format(" of {}{}, by {}", *dates.begin(), dates.size() > 1 ? " to " + *dates.rbegin() : "",
                     fmt::join(sources, ", "));
}

std::string plain_number(double value) {
  return value < 1e5 ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value);
}

void print_text(const ask::SizeAnswer& answer, bool front_only) {
  if (answer.candidates.empty() && answer.nearest.empty()) {
    std::cout << "No family has such a fabric.\n";
    return;
  }
  if (answer.candidates.empty()) {
    std::cout << fmt::format("None of {} candidates is within all limits. The nearest:\n", answer.considered);
    print_table(answer.nearest);
    for (const auto& limit : answer.unmet)
      std::cout << fmt::format("  --{} {}: this one has {}\n", limit.option, plain_number(limit.asked),
                               plain_number(limit.nearest));
  } else {
    print_table(answer.candidates);
    const std::string of_front =
        fmt::format("The first {} of {} on the front; {} candidates are within all limits",
                    answer.candidates.size(), answer.on_front, answer.within_limits);
    std::cout << (front_only ? of_front
                             : fmt::format("The first {} of {} candidates within all limits",
                                           answer.candidates.size(), answer.within_limits))
              << fmt::format("; {} were considered. ", answer.considered);
    std::cout << "'worst' bounds the throughput under the worst traffic, whatever the routing;\n"
                 "* none is as good in price, worst, mean distance and cables that part hosts, and better in "
                 "one.\n";
    if (answer.unmeasured > 0)
      std::cout << fmt::format(
          "{} more may be within the limits: their bisection is neither proved nor was it measured.\n",
          answer.unmeasured);
    if (answer.prices_estimated)
      std::cout
          << "There were too many to price every cable of each: near ties, order and stars may be wrong.\n";
  }
  std::cout << fmt::format("Prices in {}{}.\n", answer.currency,
                           answer.placeholder_prices
                               ? ": PLACEHOLDERS, nobody's offer; name your own with --prices"
                               : origin(answer.prices));
}

std::string with_interval(const Interval& value, double factor, int digits) {
  if (!std::isfinite(value.mean)) return "";
  if (!(value.half_width > 0) || !std::isfinite(value.half_width))
    return fmt::format("{:.{}f}", factor * value.mean, digits);
  return fmt::format("{:.{}f} +- {:.{}f}", factor * value.mean, digits, factor * value.half_width, digits);
}

std::string state_text(double broken) {
  return broken > 0 ? fmt::format("{:.4g} % broken", 100 * broken) : "intact";
}

// A line for each routing and state of each candidate.
void print_deep(const std::vector<ask::CandidateAnswer>& candidates) {
  for (const auto& c : candidates) {
    if (!c.deep && !c.steps) continue;
    std::cout << '\n' << c.fabric << '\n';
    const bool has_seconds =
        c.deep && std::any_of(c.deep->begin(), c.deep->end(),
                              [](const ask::DeepState& d) { return d.packet_latency_seconds.has_value(); });
    if (c.deep)
      std::cout << fmt::format("  {:<10} {:<14} {:>18} {:>18} {:>18} {:>8}\n", "routing", "state",
                               "maximum load", "accepted, %", has_seconds ? "latency, ns" : "latency, cycles",
                               "lost");
    for (const auto& d : c.deep.value_or(std::vector<ask::DeepState>{}))
      std::cout << (d.remark
                        ? fmt::format("  {:<10} {:<14} not applicable: {}\n", d.engine, state_text(d.broken),
                                      *d.remark)
                        : fmt::format(
                              "  {:<10} {:<14} {:>18} {:>18} {:>18} {:>8}\n", d.engine, state_text(d.broken),
                              with_interval(d.max_load, 1, 2), with_interval(d.accepted, 100, 2),
                              has_seconds
                                  ? with_interval(
                                        d.packet_latency_seconds.value_or(Interval{unknown, unknown}), 1e9, 1)
                                  : with_interval(d.packet_latency, 1, 0),
                              in_percent(d.lost)));
    for (const auto& s : c.steps.value_or(std::vector<ask::DeepStep>{}))
      std::cout << (s.remark
                        ? fmt::format("  step, {}: not applicable: {}\n", state_text(s.broken), *s.remark)
                        : fmt::format("  step, {}: {} ms, of these {} ms wait for messages ({})\n",
                                      state_text(s.broken), with_interval(s.seconds, 1e3, 2),
                                      with_interval(s.exposed_seconds, 1e3, 2), s.engine));
  }
}

// What a host has inside, and the model that is trained.
struct StepHostOptions {
  u32 accelerators = 1;
  Speed inside{};

  static void fields(auto& self, auto&& f) {
    f("accelerators", self.accelerators, "with --step: ranks of each host");
    f("accelerator-speed", self.inside,
      "with --step: speed at which an accelerator sends to the others of its host");
  }
};

class Size {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::SizeAnswer>()}; }

  void declare(Arguments& arguments) {
    options_.declare(arguments);
    arguments.values("--family", families_, "NAME", "only of this family; may be repeated");
    arguments.file("--prices", prices_, "FILE",
                   "a price list; without one, placeholders that are nobody's prices");
    arguments.flag("--deep", deep_,
                   "route, load and simulate the candidates on the front, intact and broken");
    deep_options_.declare(arguments);
    arguments.value("--step", step_, "MODEL",
                    "time a step of training on the candidates on the front: tensor=8,layers=80,hidden=8192");
    host_.declare(arguments);
    arguments.output("--report", report_, "FILE", "write a page: price against throughput, then the rest");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    ask::SizeOptions options = options_.read();
    if (deep_ || !step_.empty()) options.front = true;
    if (!deep_ && !step_.empty() && !options_.has("limit")) options.limit = ~u32{0};  // the whole front
    if (!deep_ && step_.empty() && (deep_options_.has_any() || host_.has_any()))
      throw InputError(
          "--traffic, --broken, --load, --cycles, --seed, --cable, --switch-delay, --accelerators and "
          "--accelerator-speed are for --deep or --step");
    ask::SizeAnswer found = ask::size(options, families_, open_prices(prices_));
    look_closely(found, options);
    if (as_json_) {
      ask::AnswerHead head;
      head.seed = deep_ || !step_.empty() ? deep_options_.read().seed : 0;
      print_json(head, found);
    } else {
      print_text(found, options.front);
      print_deep(found.candidates);
    }
    if (!report_.empty()) {
      write_whole(report_, [&](std::ostream& out) { write_report(out, found, options, command()); });
      if (!as_json_) std::cout << "The report is " << report_ << '\n';
    }
    return found.candidates.empty() ? Exit::verdict_no : Exit::done;
  }

 private:
  void look_closely(ask::SizeAnswer& found, const ask::SizeOptions& options) const {
    const ask::DeepOptions deep = deep_options_.read();
    const StepHostOptions host = host_.read();
    const Progress::Screen screen = Progress::standard_error();
    ask::TimingOptions timing{.accelerators = host.accelerators, .inside = host.inside};
    if (options.speed.value > 0) timing.link = options.speed;
    for (ask::CandidateAnswer& c : found.candidates) {
      if (deep_) c.deep = ask::look_deep(c.fabric, options.hosts, deep, options.speed, threads_, screen);
      if (!step_.empty())
        c.steps =
            ask::step_deep(c.fabric, options.hosts * host.accelerators, deep, timing,
                           read_options<TrainingOptions>(parse_plugin("step:" + step_)), threads_, screen);
    }
  }

  // What to type for the same page.
  std::string command() const {
    std::string out = "banyan size" + options_.typed();
    for (const std::string& family : families_) out += " --family " + quoted_for_shell(family);
    if (!prices_.empty()) out += " --prices " + quoted_for_shell(prices_);
    if (deep_) out += " --deep";
    if (!step_.empty()) out += " --step " + quoted_for_shell(step_);
    return out + deep_options_.typed() + host_.typed() + " --report " + quoted_for_shell(report_);
  }

  OptionsArgument<ask::SizeOptions> options_;
  OptionsArgument<ask::DeepOptions> deep_options_;
  OptionsArgument<StepHostOptions> host_;
  std::vector<std::string> families_;
  std::string prices_, step_, report_;
  u32 threads_ = default_threads();
  bool deep_ = false, as_json_ = false;
};

}  // namespace

Verb size_verb() {
  return make_verb<Size>(
      "size", "Which fabrics a machine could have, best first, and what they cost",
      "banyan size --hosts 2048 --ports 64\n"
      "  banyan size --hosts 256 --ports 64 --rails 8 --taper 2 --family PGFT\n"
      "  banyan size --hosts 4000 --ports 64 --least-bisection 0.5 --greatest-diameter 5 --json\n"
      "  banyan size --hosts 1024 --ports 64 --limit 4 --deep --traffic permutation --broken 2% --report "
      "size.html");
}

}  // namespace banyan::cli
