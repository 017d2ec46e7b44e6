// banyan time: how long a collective takes, in seconds.
#include "ask/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::cli {
namespace {

using ask::TimingAnswer;

std::string seconds_text(double seconds) {
  return seconds >= 1      ? fmt::format("{:.4g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.4g} ms", 1e3 * seconds)
                           : fmt::format("{:.4g} us", 1e6 * seconds);
}

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

void print_time(const std::string& collective, const TimingAnswer& answer,
                const ask::TimingOptions& options) {
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           quantity_text(options.link), option_text(answer.level));
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

void print_step(const ask::StepAnswer& answer, const ask::TimingOptions& options) {
  std::cout << fmt::format("step              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           quantity_text(options.link), option_text(answer.level));
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

void print_program(const std::string& program, const ask::ProgramAnswer& answer,
                   const ask::TimingOptions& options) {
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           quantity_text(options.link), option_text(answer.level));
  std::cout << fmt::format("critical path     {}, {:.1f} %\n", seconds_text(answer.critical_path_seconds),
                           100 * (answer.seconds > 0 ? answer.critical_path_seconds / answer.seconds : 1));
  std::cout << fmt::format("program           {}, {} operations\n", program, answer.operations);
  std::cout << fmt::format("ranks             {}{}\n", ranks_text(answer.ranks, answer.hosts, options),
                           rails_text(answer.rails_policy, options));
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  if (answer.flow_events > 0) std::cout << fmt::format("flow events       {}\n", answer.flow_events);
  if (answer.cycles)
    std::cout << fmt::format("simulated         {} cycles of a flit of {} bytes\n", *answer.cycles,
                             options.flit_bytes);
}

class TimeVerb {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<TimingAnswer>(), answer<ask::TimesAnswer>("sizes"), answer<ask::StepAnswer>("step"),
            answer<ask::ProgramAnswer>("program")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    arguments.value("--sizes", sizes_, "LEAST:MOST:FACTOR",
                    "a collective at several sizes, as NCCL's tests print it: 8:8GiB:4, or 1KiB,1MiB");
    arguments.value("--step", step_, "MODEL",
                    "a step of training instead of a traffic: tensor=8,pipeline=4,layers=80,hidden=8192");
    arguments.file("--program", program_, "FILE",
                   "a program whose ranks wait for each other: a file that ends with .goal, .et or .json; or "
                   "step:MODEL, application:NAME or a collective as a program");
    arguments.file("--out", out_, "FILE", "write the rounds, the sizes, or what a step sends, as CSV");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::TimingOptions options = options_.read();
    const std::vector<u64> sizes = sizes_.empty() ? std::vector<u64>{} : ask::read_sizes(sizes_);
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    ask::Situation at =
        traffic_.situation(made.loaded.topology, &std::get<Routing>(made.result), routed_.seed());
    at.threads = threads_;
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.fabric = routed_.fabric.fabric;
    head.traffic = traffic_.text();
    if (!program_.empty()) {
      if (!sizes.empty() || !step_.empty() || !out_.empty())
        throw InputError("--program takes no --sizes, no --step and no --out");
      const u32 ranks = at.ranks > 0 ? at.ranks : at.topology.fabric.hosts() * options.accelerators;
      const Program program = open_program(program_, ranks, options.accelerators);
      head.traffic = "program:" + program_;
      const ask::ProgramAnswer answer = ask::program_time(at, options, program);
      as_json_ ? print_json(head, answer) : print_program(program_, answer, options);
    } else if (!step_.empty()) {
      if (!sizes.empty()) throw InputError("--step has sizes of its own: it takes no --sizes");
      if (traffic_.text() != default_traffic)
        throw InputError("--step has traffic of its own: it takes no --traffic");
      head.traffic = "step:" + step_;
      const ask::StepAnswer answer =
          ask::step(at, options, read_options<TrainingOptions>(parse_plugin("step:" + step_)));
      write_table("phase", answer.phases);
      as_json_ ? print_json(head, answer) : print_step(answer, options);
    } else if (!sizes.empty()) {
      const ask::TimesAnswer answer = ask::times(at, options, sizes);
      write_table("number", answer.sizes);
      as_json_ ? print_json(head, answer) : print_sizes(answer);
    } else {
      const TimingAnswer answer = ask::time(at, options);
      if (!answer.each_round && !out_.empty()) throw InputError("--out: a simulation has no rounds to write");
      if (answer.each_round) write_table("round", *answer.each_round);
      as_json_ ? print_json(head, answer) : print_time(parse_plugin(traffic_.text()).name, answer, options);
    }
    return Exit::done;
  }

 private:
  template <class Row>
  void write_table(std::string_view number, const std::vector<Row>& rows) const {
    if (out_.empty()) return;
    write_whole(out_, [&](std::ostream& file) { ask::write_csv(file, number, rows); });
  }

  RoutedArgument routed_;
  static constexpr const char* default_traffic = "allreduce";
  TrafficArgument traffic_{default_traffic};
  OptionsArgument<ask::TimingOptions> options_;
  std::string sizes_, step_, program_, out_;
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
