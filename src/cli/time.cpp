// banyan time: how long a collective takes, in seconds.
#include "ask/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "ask/jobs_time.hpp"
#include "ask/program_picture.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "report/program_report.hpp"
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
  if (answer.seconds_intact)
    std::cout << fmt::format("cables            {} messages routed again; {} if none were lost\n",
                             *answer.rerouted, seconds_text(*answer.seconds_intact));
  if (answer.flow_events > 0) std::cout << fmt::format("flow events       {}\n", answer.flow_events);
  if (answer.cycles)
    std::cout << fmt::format("simulated         {} cycles of a flit of {} bytes\n", *answer.cycles,
                             options.flit_bytes);
}

void print_jobs(const std::string& list, const ask::JobsAnswer& answer, const ask::TimingOptions& options) {
  constexpr std::size_t max_lines = 40;
  std::cout << fmt::format("time              {} at {} a link, {} level\n", seconds_text(answer.seconds),
                           quantity_text(options.link), option_text(answer.level));
  std::cout << fmt::format("slowdown          {:.4g} in the mean, {:.4g} at most\n", answer.mean_slowdown,
                           answer.max_slowdown);
  std::cout << fmt::format("jobs              {} of {}, on {} hosts{}\n", answer.jobs.size(), list,
                           answer.hosts, answer.rails_policy ? ", rails by " + *answer.rails_policy : "");
  std::cout << fmt::format("messages          {}, {} in all\n", answer.messages, bytes_text(answer.bytes));
  if (answer.rerouted) std::cout << fmt::format("rerouted          {} messages\n", *answer.rerouted);
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
    return {answer<TimingAnswer>(), answer<ask::TimesAnswer>("sizes"), answer<ask::StepAnswer>("step"),
            answer<ask::ProgramAnswer>("program"), answer<ask::JobsAnswer>("jobs")};
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
    arguments.file("--jobs", jobs_, "FILE",
                   "a list of jobs in SWF: each runs --program when its time has come and hosts are free");
    arguments.file("--timeline", timeline_, "FILE",
                   "cables that are lost and regained while programs run: '1.5ms lose link=s3:2'");
    jobs_options_.declare(arguments);
    arguments.file("--report", report_, "FILE",
                   "of a program: write a page with timelines of its ranks and what held it up");
    arguments.file("--out", out_, "FILE",
                   "write the rounds, the sizes, the jobs, or what a step sends, as CSV");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::TimingOptions options = options_.read();
    for (const std::string_view key : ask::unused_options(options.level, !program_.empty()))
      if (options_.has(key))
        throw InputError(fmt::format("--{} changes nothing {} at level {}", key,
                                     program_.empty() ? "for traffic" : "for a program",
                                     option_text(options.level)));
    const std::vector<u64> sizes = sizes_.empty() ? std::vector<u64>{} : ask::read_sizes(sizes_);
    ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    ask::Timeline timeline{{}, &made.router};
    if (!timeline_.empty() && !program_.empty()) {
      const Topology& whole = made.loaded.topology;
      std::ifstream in = open_input(timeline_);
      timeline.changes = fabric::read_timeline(in, timeline_, whole.fabric);
      if (made.router.is_chosen) {
        made.router = ask::timeline_router(made.router, routed_.options(), whole, timeline.changes);
        made.result = made.router.route(whole);
        if (const auto status = refused(made.result)) return *status;
      }
    }
    ask::Situation at =
        traffic_.situation(made.loaded.topology, &std::get<Routing>(made.result), routed_.seed());
    at.threads = threads_;
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.fabric = routed_.fabric.fabric;
    head.traffic = traffic_.text();
    if (!as_json_ && made.router.is_chosen)
      std::cout << fmt::format("engine            {}\n", made.router.name);
    if (program_.empty() &&
        (!jobs_.empty() || !report_.empty() || !timeline_.empty() || jobs_options_.has_any()))
      throw InputError("--jobs, --timeline and --report need --program");
    if (!program_.empty()) {
      if (!sizes.empty() || !step_.empty() || (!out_.empty() && jobs_.empty()) || traffic_.has_traffic())
        throw InputError("--program takes no --traffic, no --job, no --sizes, no --step and no --out");
      head.traffic = "program:" + program_;
      run_program(at, options, timeline, head);
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
  void run_program(const ask::Situation& at, const ask::TimingOptions& options, const ask::Timeline& timeline,
                   const ask::AnswerHead& head) const {
    const ask::JobsOptions how = jobs_options_.read();
    if (timeline_.empty() && jobs_options_.has("reroute-delay"))
      throw InputError("--reroute-delay is for --timeline");
    if (!jobs_.empty()) {
      if (!report_.empty()) throw InputError("--report is for one program: it takes no --jobs");
      if (at.ranks > 0) throw InputError("--jobs has ranks of its own: it takes no --ranks");
      std::ifstream in = open_input(jobs_);
      const ask::JobsAnswer answer =
          ask::jobs_time(at, options, how, read_swf(in, jobs_), program_, timeline);
      write_table("number", answer.jobs);
      as_json_ ? print_json(head, answer) : print_jobs(jobs_, answer, options);
      return;
    }
    if (jobs_options_.has("repeats")) throw InputError("--repeats is for --jobs");
    if (!report_.empty() && !timeline_.empty())
      throw InputError("--report shows a program on a fabric that stays as it is: it takes no --timeline");
    const u32 ranks = at.ranks > 0 ? at.ranks : at.topology.fabric.hosts() * options.accelerators;
    const Program program = open_program(program_, ranks, options.accelerators);
    const ask::ProgramAnswer answer = timeline_.empty()
                                          ? ask::program_time(at, options, program)
                                          : ask::program_time(at, options, program, how, timeline);
    as_json_ ? print_json(head, answer) : print_program(program_, answer, options);
    if (report_.empty()) return;
    const ask::ProgramPicture picture = ask::program_picture(at, options, program);
    write_whole(report_, [&](std::ostream& out) {
      report::write_report(out, answer, picture, program_, routed_.fabric.fabric, command());
    });
    if (!as_json_) std::cout << "The report is " << report_ << '\n';
  }

  std::string command() const {
    std::string out = "banyan time " + quoted_for_shell(routed_.fabric.fabric);
    for (const std::string& fault : routed_.fabric.without) out += " --without " + quoted_for_shell(fault);
    return out + routed_.routing.typed() + traffic_.typed() + " --program " + quoted_for_shell(program_) +
           options_.typed() + " --report " + quoted_for_shell(report_);
  }

  template <class Row>
  void write_table(std::string_view number, const std::vector<Row>& rows) const {
    if (out_.empty()) return;
    write_whole(out_, [&](std::ostream& file) { ask::write_csv(file, number, rows); });
  }

  RoutedArgument routed_;
  static constexpr const char* default_traffic = "allreduce";
  TrafficArgument traffic_{default_traffic};
  OptionsArgument<ask::TimingOptions> options_;
  OptionsArgument<ask::JobsOptions> jobs_options_;
  std::string sizes_, step_, program_, jobs_, timeline_, report_, out_;
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
