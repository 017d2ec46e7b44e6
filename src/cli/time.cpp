// banyan time: how long a collective takes, in seconds.
#include "ask/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "ask/link_speed.hpp"
#include "ask/program_picture.hpp"
#include "ask/time_modes.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/counted.hpp"
#include "cli/rail_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "fabric/names.hpp"
#include "report/program_report.hpp"

namespace banyan::cli {
namespace {

using ask::TimingAnswer;

std::string seconds_text(double seconds) {
  return seconds >= 1      ? fmt::format("{:.4g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.4g} ms", 1e3 * seconds)
                           : fmt::format("{:.4g} us", 1e6 * seconds);
}

// The options, and the speeds of links in words.
struct TimedWith : ask::TimingOptions {
  std::string links{};
};

std::string ranks_text(u32 ranks, u32 hosts, const ask::TimingOptions& options) {
  const u32 taken = (ranks + options.accelerators - 1) / options.accelerators;
  return taken < hosts ? fmt::format("{} on {} of {} hosts", ranks, taken, hosts)
                       : fmt::format("{} on {} hosts", ranks, hosts);
}

std::string rails_text(const std::optional<std::string>& policy, const ask::TimingOptions& options) {
  if (!policy) return "";
  if (options.stripe > 0)
    return fmt::format(", rails by {}, {:g} % of them a message", *policy, 100 * options.stripe);
  return fmt::format(", rails by {}{}", *policy, options.accelerators > 1 ? "" : ", one a message");
}

// Rounds that follow each other and are alike are one line.
void print_rounds(const std::vector<TimingAnswer::Round>& rounds) {
  constexpr u32 max_lines = 16;
  const auto lasts = [&](std::size_t i) { return rounds[i].ends - (i == 0 ? 0 : rounds[i - 1].ends); };
  const auto are_alike = [&](std::size_t i, std::size_t j) {
    return rounds[i].messages == rounds[j].messages && rounds[i].bytes == rounds[j].bytes &&
           std::abs(lasts(i) - lasts(j)) <= 1e-9 * lasts(i);
  };
  const bool follow = std::is_sorted(rounds.begin(), rounds.end(),
                                     [](const auto& a, const auto& b) { return a.ends < b.ends; });
  std::cout << fmt::format("\n{:>11} {:>10} {:>12} {:>12} {:>12}\n", "rounds", "messages", "bytes",
                           follow ? "each, us" : "", "end, us");
  std::size_t next = 0;
  for (u32 line = 0; line < max_lines && next < rounds.size(); ++line) {
    const std::size_t first = next++;
    while (next < rounds.size() && are_alike(first, next)) ++next;
    const std::string which =
        next - first == 1 ? std::to_string(first) : fmt::format("{}-{}", first, next - 1);
    std::cout << fmt::format("{:>11} {:>10} {:>12} {:>12} {:>12.6g}\n", which, rounds[first].messages,
                             bytes_text(rounds[first].bytes),
                             follow ? fmt::format("{:.6g}", 1e6 * lasts(first)) : "",
                             1e6 * rounds[next - 1].ends);
  }
  if (next < rounds.size()) std::cout << fmt::format("and {} more rounds\n", rounds.size() - next);
}

void print_time(const std::string& collective, const TimingAnswer& answer, const TimedWith& options,
                const Fabric& fabric) {
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           options.links, option_text(answer.level));
  if (answer.algorithm)
    std::cout << fmt::format("collective        {}{}, by {}\n", collective,
                             answer.size ? " of " + bytes_text(*answer.size) : "", *answer.algorithm);
  if (answer.bus_bandwidth)
    std::cout << fmt::format("bandwidth         algorithm {}, bus {}\n",
                             bytes_per_second_text(*answer.algorithm_bandwidth),
                             bytes_per_second_text(*answer.bus_bandwidth));
  std::cout << fmt::format("ranks             {}{}\n", ranks_text(answer.ranks, answer.hosts, options),
                           rails_text(answer.rails_policy, options));
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  print_rails(fabric, answer.rails, true);
  if (answer.cycles)
    std::cout << fmt::format("simulated         {} cycles of a flit of {} bytes\n", *answer.cycles,
                             options.flit_bytes);
  if (answer.each_round && answer.each_round->size() > 1) print_rounds(*answer.each_round);
}

// Laid out as NCCL's tests do it.
void print_sizes(const ask::TimesAnswer& answer) {
  std::cout << fmt::format("{:>12} {:<20} {:>14} {:>13} {:>13}\n", "size", "algorithm", "time, us",
                           "algbw, GB/s", "busbw, GB/s");
  for (const auto& point : answer.sizes)
    std::cout << fmt::format("{:>12} {:<20} {:>14.6g} {:>13.4g} {:>13.4g}\n", bytes_text(point.size),
                             point.algorithm, 1e6 * point.seconds, 1e-9 * point.algorithm_bandwidth,
                             1e-9 * point.bus_bandwidth);
}

void print_step(const ask::StepAnswer& answer, const TimedWith& options) {
  std::cout << fmt::format("step              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           options.links, option_text(answer.level));
  const auto part = [&](const char* name, double seconds) {
    std::cout << fmt::format("{:<17} {}, {:.1f} %\n", name, seconds_text(seconds),
                             100 * seconds / answer.seconds);
  };
  part("computing", answer.computing_seconds);
  part("exposed messages", answer.exposed_seconds);
  part("pipeline bubble", answer.bubble_seconds);
  std::cout << fmt::format("model             {:.4g} parameters, {} copies, {:g} micro-batches each\n",
                           answer.parameters, answer.data, answer.micro_batches);
  std::cout << fmt::format("ranks             {}\n\n", ranks_text(answer.ranks, answer.hosts, options));
  std::cout << fmt::format("{:<12} {:<12} {:>7} {:>6} {:>12} {:>9} {:>12} {:>12} {:>12}\n", "sent", "by",
                           "groups", "ranks", "size", "times", "each, us", "in all, ms", "exposed, ms");
  for (const auto& phase : answer.phases)
    std::cout << fmt::format("{:<12} {:<12} {:>7} {:>6} {:>12} {:>9g} {:>12.5g} {:>12.5g} {:>12.5g}\n",
                             phase.name, phase.algorithm, phase.groups, phase.ranks, bytes_text(phase.bytes),
                             phase.times, 1e6 * phase.seconds_each, 1e3 * phase.seconds,
                             1e3 * phase.exposed_seconds);
}

// Of a timeline: what it did to those that ran.
template <class Answer>
std::string changes_text(const Answer& answer) {
  std::string out = counted(*answer.changes, "change");
  if (*answer.changes_later > 0) out += fmt::format(" ({} more after the end)", *answer.changes_later);
  return out + ", " + counted(*answer.rerouted, "message") + " got another way";
}

void print_picture(const ask::ProgramPicture& picture) {
  constexpr std::size_t max_lines = 5;
  const double all = picture.computing_seconds + picture.message_seconds + picture.other_seconds;
  const auto percent = [&](double part) { return all > 0 ? 100 * part / all : 0; };
  std::cout << fmt::format("chain             {}: {:.1f} % computing, {:.1f} % messages\n",
                           counted(picture.chain_steps, "step"), percent(picture.computing_seconds),
                           percent(picture.message_seconds));
  if (picture.links.empty()) return;
  std::cout << fmt::format("held up           {} of it, because messages shared links:\n",
                           seconds_text(picture.held_seconds));
  for (std::size_t i = 0; i < std::min(max_lines, picture.links.size()); ++i) {
    const ask::ProgramPicture::Link& link = picture.links[i];
    std::cout << fmt::format("                  {} on {}\n", seconds_text(link.seconds),
                             link.port.empty() ? "the " + link.from : link.port + " to " + link.to);
  }
  if (picture.links.size() > max_lines)
    std::cout << fmt::format("                  and less on {} more\n", picture.links.size() - max_lines);
}

void print_moments(const std::vector<ask::ProgramAnswer::Moment>& moments, const Fabric& fabric) {
  for (const auto& moment : moments) {
    std::cout << fmt::format("at {:<14} {}", seconds_text(moment.time), counted(moment.flows, "flow"));
    if (const auto most = std::max_element(moment.rates.begin(), moment.rates.end());
        most != moment.rates.end()) {
      const Channel c = moment.channels[static_cast<std::size_t>(most - moment.rates.begin())];
      std::cout << fmt::format(" on {}, the most {} on {} to {}", counted(moment.channels.size(), "channel"),
                               bytes_per_second_text(*most), fabric::port_name(fabric, c),
                               fabric.name(fabric.to(c)));
    }
    std::cout << '\n';
  }
}

void print_program(const std::string& program, const ask::ProgramAnswer& answer, const TimedWith& options,
                   const Fabric& fabric) {
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           options.links, option_text(answer.level));
  std::cout << fmt::format("critical path     {}, {:.1f} %\n", seconds_text(answer.critical_path_seconds),
                           100 * (answer.seconds > 0 ? answer.critical_path_seconds / answer.seconds : 1));
  std::cout << fmt::format("program           {}, {} operations{}\n", program, answer.operations,
                           answer.algorithm ? ", by " + *answer.algorithm : "");
  std::cout << fmt::format("ranks             {}{}\n", ranks_text(answer.ranks, answer.hosts, options),
                           rails_text(answer.rails_policy, options));
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  if (answer.unequal_sizes)
    std::cout << fmt::format("sizes             {} of the receives name another size than their send\n",
                             *answer.unequal_sizes);
  if (answer.seconds_intact)
    std::cout << fmt::format("cables            {}; {} if none were lost\n", changes_text(answer),
                             seconds_text(*answer.seconds_intact));
  print_rails(fabric, answer.rails, true);
  if (answer.flow_events > 0) std::cout << fmt::format("flow events       {}\n", answer.flow_events);
  if (answer.cycles)
    std::cout << fmt::format("simulated         {} cycles of a flit of {} bytes\n", *answer.cycles,
                             options.flit_bytes);
  if (answer.picture) print_picture(*answer.picture);
  if (answer.moments) print_moments(*answer.moments, fabric);
}

// What levels have in common, then a line for each.
void print_levels(const std::string& program, const ask::LevelsAnswer& answer, const TimedWith& options) {
  std::cout << fmt::format("program           {}, {} operations{}\n", program, answer.operations,
                           answer.algorithm ? ", by " + *answer.algorithm : "");
  std::cout << fmt::format("ranks             {}{}, {} a link\n",
                           ranks_text(answer.ranks, answer.hosts, options),
                           rails_text(answer.rails_policy, options), options.links);
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  if (answer.unequal_sizes)
    std::cout << fmt::format("sizes             {} of the receives name another size than their send\n",
                             *answer.unequal_sizes);
  const std::string from = fmt::format("from {}", option_text(answer.levels.back().level));
  std::cout << fmt::format("\n{:<8} {:>12} {:>13} {:>12} {:>12} {:>12} {:>10}\n", "level", "time", from,
                           "critical", "flow events", "cycles", "CPU");
  for (const auto& one : answer.levels)
    std::cout << fmt::format("{:<8} {:>12} {:>13} {:>12} {:>12} {:>12} {:>10}\n", option_text(one.level),
                             seconds_text(one.seconds), fmt::format("{:+.1f} %", 100 * one.difference),
                             seconds_text(one.critical_path_seconds), one.flow_events, one.cycles,
                             seconds_text(one.cpu_seconds));
}

void print_jobs(const std::string& list, const ask::JobsAnswer& answer, const TimedWith& options) {
  constexpr std::size_t max_lines = 40;
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           options.links, option_text(answer.level));
  std::cout << fmt::format("slowdown          {:.4g} in the mean, {:.4g} at most\n", answer.mean_slowdown,
                           answer.max_slowdown);
  std::cout << fmt::format("jobs              {} of {}, on {} hosts{}\n", answer.jobs.size(), list,
                           answer.hosts, answer.rails_policy ? ", rails by " + *answer.rails_policy : "");
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  if (answer.rerouted) std::cout << fmt::format("cables            {}\n", changes_text(answer));
  if (answer.without_processors > 0)
    std::cout << fmt::format("left out          {}: without processors\n",
                             counted(answer.without_processors, "job"));
  if (answer.without_time > 0)
    std::cout << fmt::format("no run time       {}: taken as 0 s\n", counted(answer.without_time, "job"));
  std::cout << fmt::format("flow events       {}\n\n", answer.flow_events);
  std::cout << fmt::format("{:>10} {:>8} {:>12} {:>12} {:>12} {:>12} {:>10}\n", "job", "ranks",
                           "submitted, s", "start, s", "seconds", "alone", "slowdown");
  for (std::size_t i = 0; i < std::min(max_lines, answer.jobs.size()); ++i) {
    const auto& job = answer.jobs[i];
    std::cout << fmt::format("{:>10} {:>8} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>10.4g}\n", job.job,
                             job.ranks, job.submitted, job.start, job.seconds, job.seconds_alone,
                             job.slowdown);
  }
  if (answer.jobs.size() > max_lines)
    std::cout << fmt::format("and {} more jobs\n", answer.jobs.size() - max_lines);
}

class TimeVerb {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<TimingAnswer>(),
            answer<ask::TimesAnswer>("sizes"),
            answer<ask::StepAnswer>("step"),
            answer<ask::ProgramAnswer>("program"),
            answer<ask::LevelsAnswer>("levels"),
            answer<ask::JobsAnswer>("jobs")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    modes_.declare(arguments, true);
    arguments.output("--report", report_, "FILE",
                     "of a program: write a page with timelines of its ranks and what held it up");
    arguments.output("--out", out_, "FILE",
                     "write the rounds, the sizes, the levels, the jobs, or what a step sends, as CSV");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  // The answer is printed before files are written: what took an hour is not lost where a folder is missing.
  Exit run() const {
    ask::TimingOptions options = options_.read();
    ask::TimeModes modes = modes_.read();
    ask::refuse_contradictions(modes, options, [&](std::string_view key) {
      if (key == "out") return !out_.empty();
      if (key == "report") return !report_.empty();
      return options_.has(key) || modes_.has(key) || traffic_.has(key);
    });
    ask::RoutedFabric made = routed_.open();
    options.link = ask::link_speed(made.loaded, options.link, options_.has("link"));
    if (const auto status = refused(made.result)) return *status;
    const ask::Timeline timeline =
        ask::open_timeline(modes, routed_.options(), made.loaded.topology, made.router, made.result);
    if (const auto status = refused(made.result)) return *status;
    ask::Situation at =
        traffic_.situation(made.loaded.topology, &std::get<Routing>(made.result), routed_.seed());
    at.threads = threads_;
    const bool prints_picture = modes.looks.picture;
    modes.looks.picture |= !report_.empty();
    ask::AnyTimingAnswer found = ask::time(at, options, modes, timeline);
    std::optional<ask::ProgramAnswer> shown;  // on the page
    if (!report_.empty()) {
      shown = std::get<ask::ProgramAnswer>(found);
      if (!prints_picture) std::get<ask::ProgramAnswer>(found).picture.reset();
    }
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.fabric = routed_.fabric.fabric;
    head.traffic = modes.traffic(traffic_.text());
    if (!as_json_ && made.router.is_chosen)
      std::cout << fmt::format("engine            {}\n", made.router.name);
    const TimedWith timed_with{options, ask::link_speeds(at.topology.fabric, options.link)};
    std::visit(
        [&](const auto& answer) {
          as_json_ ? print_json(head, answer) : print(answer, {timed_with, modes, at.topology.fabric});
        },
        found);
    if (!out_.empty()) std::visit([&](const auto& answer) { write_table(answer); }, found);
    if (shown) write_page(modes, *shown);
    return std::visit(
        [](const auto& answer) {
          if constexpr (requires { answer.rails; })
            return rails_exit(answer.rails);
          else
            return Exit::done;
        },
        found);
  }

 private:
  struct Asked {
    const TimedWith& options;
    const ask::TimeModes& modes;
    const Fabric& fabric;
  };
  void print(const TimingAnswer& answer, const Asked& of) const {
    print_time(parse_plugin(traffic_.text()).name, answer, of.options, of.fabric);
  }
  static void print(const ask::TimesAnswer& answer, const Asked&) { print_sizes(answer); }
  static void print(const ask::StepAnswer& answer, const Asked& of) { print_step(answer, of.options); }
  static void print(const ask::ProgramAnswer& answer, const Asked& of) {
    print_program(of.modes.program, answer, of.options, of.fabric);
  }
  static void print(const ask::LevelsAnswer& answer, const Asked& of) {
    print_levels(of.modes.program, answer, of.options);
  }
  static void print(const ask::JobsAnswer& answer, const Asked& of) {
    print_jobs(of.modes.jobs, answer, of.options);
  }

  void write_page(const ask::TimeModes& modes, const ask::ProgramAnswer& answer) const {
    write_whole(report_, [&](std::ostream& out) {
      report::write_report(out, answer, modes.program, routed_.fabric.fabric, command());
    });
    if (!as_json_) std::cout << "The report is " << report_ << '\n';
  }

  std::string command() const {
    std::string out = "banyan time " + quoted_for_shell(routed_.fabric.fabric);
    for (const std::string& fault : routed_.fabric.without) out += " --without " + quoted_for_shell(fault);
    return out + routed_.routing.typed() + traffic_.typed() + modes_.typed() + options_.typed() +
           " --report " + quoted_for_shell(report_);
  }

  void write_table(const TimingAnswer& answer) const { write_rows("round", *answer.each_round); }
  void write_table(const ask::TimesAnswer& answer) const { write_rows("number", answer.sizes); }
  void write_table(const ask::StepAnswer& answer) const { write_rows("phase", answer.phases); }
  void write_table(const ask::LevelsAnswer& answer) const { write_rows("number", answer.levels); }
  void write_table(const ask::JobsAnswer& answer) const { write_rows("number", answer.jobs); }
  static void write_table(const ask::ProgramAnswer&) {}  // --out is refused
  template <class Row>
  void write_rows(std::string_view number, const std::vector<Row>& rows) const {
    write_whole(out_, [&](std::ostream& file) { ask::write_csv(file, number, rows); });
  }

  RoutedArgument routed_;
  TrafficArgument traffic_{"allreduce"};
  OptionsArgument<ask::TimingOptions> options_;
  OptionsArgument<ask::TimeModes> modes_;
  std::string report_, out_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb time_verb() {
  return make_verb<TimeVerb>(
      "time", "How long a collective takes, in seconds, and its bandwidth",
      "banyan time 'RLFT(64 ports, 1024 hosts)' --traffic allreduce:bytes=1GiB --link 400G");
}

}  // namespace banyan::cli
