// banyan check: the verdict on a routing, for all pairs or for all shifts.
#include <fmt/format.h>

#include <iostream>

#include "ask/any_hash.hpp"
#include "ask/check.hpp"
#include "ask/program_check.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/answer_output.hpp"
#include "cli/choice_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/shift_output.hpp"
#include "cli/verdict_output.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::cli {
namespace {

class Check {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<ask::CheckAnswer>(), answer<ask::ShiftsAnswer>("shifts"),
            answer<ask::CertificateAnswer>("recheck"), answer<ask::ProgramCheckAnswer>("program")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    options_.declare(arguments);
    arguments.file_instead("FABRIC", "--program", program_, "FILE",
                           option_infos<ask::ProgramCheckOptions>().front().meaning);
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    if (!program_.empty()) return decide_program();
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    const ask::CheckOptions options = options_.read();
    if (options.shifts)
      return options.recheck.empty() ? decide_shifts(made, options) : hold_shifts(made, options);
    return options.recheck.empty() ? decide(made, options) : hold(made, options);
  }

 private:
  Exit decide_program() const {
    if (!routed_.fabric.fabric.empty() || !routed_.fabric.without.empty() || routed_.routing.has_any() ||
        options_.has_any())
      throw InputError(
          "--program stands instead of FABRIC: it takes no engine, no faults and no certificate");
    const ask::ProgramCheckAnswer found = ask::check_program(open_program(program_));
    if (as_json_) {
      ask::AnswerHead head;
      head.traffic = "program:" + program_;
      print_json(head, found);
    } else {
      std::cout << fmt::format("{}: {}, {} ranks, {} operations, {} messages\n", program_,
                               found.deadlock_free ? "yes" : "no", found.ranks, found.operations,
                               found.messages);
      std::cout << fmt::format("deadlock-free     {}\n", !found.deadlock_free
                                                             ? "no: these wait for each other"
                                                         : found.deadlock_free_unbuffered
                                                             ? "yes"
                                                             : "yes if sends are buffered; if they wait for "
                                                               "their receives, these wait for each other");
      if (found.unequal_sizes > 0)
        std::cout << fmt::format(
            "sizes             {} of the receives name another size than their send: {}\n",
            found.unequal_sizes, found.first_unequal);
      for (const auto& op : found.cycle)
        std::cout << fmt::format("  rank {}{}: {}\n", op.rank,
                                 op.line ? fmt::format(", line {}", op.line) : "", op.operation);
    }
    return found.deadlock_free ? Exit::done : Exit::verdict_no;
  }

  ask::Situation situation(const ask::RoutedFabric& made) const {
    ask::Situation out{made.loaded.topology, &std::get<Routing>(made.result)};
    out.threads = threads_;
    return out;
  }

  Exit decide(const ask::RoutedFabric& made, const ask::CheckOptions& options) const {
    const auto result = ask::check(situation(made), options);
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::CheckAnswer>(result);
    const bool yes = found.verdict.yes();
    if (!options.certificate.empty()) write(made, options, found.verdict);
    if (as_json_) {
      print_json(made.router.head(), found);
    } else {
      std::cout << made.router.name << (yes ? ": yes\n" : ": no\n");
      print_verdict(std::cout, found.verdict);
      if (made.loaded.topology.fabric.slots() > 1)
        for (const std::string& part : found.cut_off) std::cout << "  " << part << '\n';
      if (ask::hashes(std::get<Routing>(made.result)))
        std::cout << "switches hash: all next hops of all groups were judged, whichever a hash takes\n";
      if (found.choice) print_choice(std::cout, *found.choice);
    }
    return yes ? Exit::done : Exit::verdict_no;
  }

  template <class C>
  void expect_to_hold(const ask::RoutedFabric& made, const C& certificate) const {
    const auto found = ask::holds(situation(made), certificate);
    const auto* answer = std::get_if<ask::CertificateAnswer>(&found);
    if (!answer || !answer->holds)
      throw std::logic_error("the certificate does not hold; please report this");
  }

  void write(const ask::RoutedFabric& made, const ask::CheckOptions& options, const Verdict& verdict) const {
    const Fabric& fabric = made.loaded.topology.fabric;
    if (!verdict.certificate) {
      std::cerr << "banyan: no certificate is written: packets can wait in a circle\n";
      return;
    }
    expect_to_hold(made, *verdict.certificate);
    write_whole(options.certificate,
                [&](std::ostream& out) { write_certificate(out, *verdict.certificate, fabric); });
  }

  Exit hold(const ask::RoutedFabric& made, const ask::CheckOptions& options) const {
    const Fabric& fabric = made.loaded.topology.fabric;
    std::ifstream in = open_input(options.recheck);
    return say(made, ask::holds(situation(made), read_certificate(in, options.recheck, fabric)),
               "its numbers rise along every route");
  }

  Exit decide_shifts(const ask::RoutedFabric& made, const ask::CheckOptions& options) const {
    const Topology& topology = made.loaded.topology;
    const auto result = ask::shifts({topology, &std::get<Routing>(made.result)},
                                    {{.certificate = !options.certificate.empty()}});
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::ShiftsAnswer>(result);
    if (!options.certificate.empty()) write(made, options, found.verdict);
    if (as_json_) {
      print_json(made.router.head(), found);
    } else {
      std::cout << made.router.name << ": ";
      print_shifts(std::cout, topology.fabric, found.verdict);
    }
    return Exit::done;
  }

  void write(const ask::RoutedFabric& made, const ask::CheckOptions& options,
             const ShiftVerdict& verdict) const {
    const Fabric& fabric = made.loaded.topology.fabric;
    if (!verdict.certificate) {
      std::cerr << "banyan: no certificate is written: a channel carries more than one flow\n";
      return;
    }
    expect_to_hold(made, *verdict.certificate);
    write_whole(options.certificate,
                [&](std::ostream& out) { write_shift_certificate(out, *verdict.certificate, fabric); });
  }

  Exit hold_shifts(const ask::RoutedFabric& made, const ask::CheckOptions& options) const {
    const Fabric& fabric = made.loaded.topology.fabric;
    std::ifstream in = open_input(options.recheck);
    return say(made, ask::holds(situation(made), read_shift_certificate(in, options.recheck, fabric)),
               "no channel carries more than one flow in any shift");
  }

  Exit say(const ask::RoutedFabric& made, const ask::Result<ask::CertificateAnswer>& result,
           std::string_view what) const {
    if (const auto status = refused(result)) return *status;
    const auto& answer = std::get<ask::CertificateAnswer>(result);
    if (as_json_)
      print_json(made.router.head(), answer);
    else
      std::cout << (answer.holds ? fmt::format("The certificate holds: {}.\n", what)
                                 : "The certificate does not hold.\n");
    return answer.holds ? Exit::done : Exit::verdict_no;
  }

  RoutedArgument routed_;
  OptionsArgument<ask::CheckOptions> options_;
  std::string program_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb check_verb() {
  return make_verb<Check>(
      "check",
      "Decides for all pairs: reachable, loop-free, minimal, deadlock-free; or for all shifts: contention",
      "banyan check 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --engine dmodk");
}

}  // namespace banyan::cli
