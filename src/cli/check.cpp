// banyan check: the verdict on a routing, for all pairs or for all shifts.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "ask/check.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "cli/choice_output.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/shift_output.hpp"
#include "cli/verdict_output.hpp"
#include "formats/address_choice_file.hpp"
#include "formats/opensm_lanes.hpp"
#include "formats/opensm_tables.hpp"

namespace banyan::cli {
namespace {

class Check {
 public:
  using Answers = std::tuple<ask::CheckAnswer, ask::ShiftsAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    arguments.file("--tables", tables_, "FILE",
                   "judge these tables instead: opensm-lfts.dump, or what dump_lfts prints");
    arguments.file("--lids", lids_, "FILE",
                   "their LIDs: guid2lid or opensm-subnet.lst (default: the comments in the tables)");
    arguments.file(
        "--service-levels", service_levels_, "FILE",
        "their lanes, as ibdmchk -c reads them (default: the file of that name beside the tables)");
    arguments.file(
        "--choice", choice_, "FILE",
        "which of their addresses messages take (default: the file 'address-choice' beside the tables)");
    arguments.flag(
        "--shifts", shifts_,
        "decide instead how many flows share a channel when every host i sends to host i + s, for all s");
    arguments.file(
        "--certificate", certificate_, "FILE",
        "write the proof that no packets wait in a circle: numbers that only rise along routes; "
        "with --shifts, that no channel carries two flows: its sources, and how far apart destinations are");
    arguments.file("--recheck", recheck_, "FILE",
                   "only hold the routes against a certificate written before");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    if (!tables_.empty()) return judge_tables();
    if (!lids_.empty()) throw InputError("--lids is about --tables, which is missing");
    if (!service_levels_.empty()) throw InputError("--service-levels is about --tables, which is missing");
    if (!choice_.empty()) throw InputError("--choice is about --tables, which is missing");
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    const RouteResult result = engine_.route(loaded.topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    return answer(loaded.topology, std::get<Routing>(result));
  }

 private:
  // In the numbers of the fabric as found: tables may use any of its ports.
  Exit judge_tables() const {
    if (!engine_.engine.empty()) throw InputError("--tables and --engine: expected one of them");
    const FabricFile found = fabric_.open();
    std::ifstream in = open_input(tables_);
    const auto lids = lids_.empty() ? std::nullopt : std::optional(open_lids(lids_));
    TablesRead read = read_lfts(in, tables_, found.topology.fabric, found.ids, lids);
    add_lanes(read);
    return answer(found.topology, read.routing);
  }

  // Those that `route --out` wrote beside the tables need not be named; that they are used is said.
  void add_lanes(TablesRead& read) const {
    add(service_levels_, "service-levels", "lanes", [&](std::istream& in, const std::string& file) {
      read_service_levels(in, file, read.subnet, read.routing);
    });
    add(choice_, "address-choice", "the choice of addresses", [&](std::istream& in, const std::string& file) {
      read_address_choice(in, file, read.subnet, read.routing);
    });
  }

  void add(const std::string& named, const std::string& otherwise, std::string_view what, auto&& read) const {
    const std::string beside = std::filesystem::path(tables_).replace_filename(otherwise).string();
    const std::string& file = named.empty() ? beside : named;
    std::error_code ignored;
    if (named.empty() && !std::filesystem::is_regular_file(beside, ignored)) return;
    std::ifstream in = open_input(file);
    if (named.empty()) std::cerr << "banyan: " << what << " from " << file << '\n';
    read(in, file);
  }

  Exit answer(const Topology& topology, const Routing& routing) const {
    if (shifts_)
      return recheck_.empty() ? decide_shifts(topology, routing) : hold_shifts(topology.fabric, routing);
    return recheck_.empty() ? decide(topology, routing) : hold(topology.fabric, routing);
  }

  Exit decide(const Topology& topology, const Routing& routing) const {
    ask::Situation at{topology, &routing};
    at.threads = threads_ ? threads_ : default_threads();
    const ask::CheckAnswer answer = ask::check(at);
    const bool yes = answer.verdict.yes();
    if (!certificate_.empty()) write(topology.fabric, routing, answer.verdict);
    if (as_json_) {
      write_answer(answer);
    } else {
      std::cout << (tables_.empty() ? engine_.engine : tables_) << (yes ? ": yes\n" : ": no\n");
      print_verdict(std::cout, answer.verdict);
      if (answer.choice) print_choice(std::cout, *answer.choice);
    }
    return yes ? Exit::done : Exit::verdict_no;
  }

  void write(const Fabric& fabric, const Routing& routing, const Verdict& verdict) const {
    if (!verdict.certificate) {
      std::cerr << "banyan: no certificate is written: packets can wait in a circle\n";
      return;
    }
    if (!recheck(*verdict.certificate, fabric, routing))
      throw std::logic_error("the certificate does not hold; please report this");
    write_whole(certificate_,
                [&](std::ostream& out) { write_certificate(out, *verdict.certificate, fabric); });
  }

  Exit hold(const Fabric& fabric, const Routing& routing) const {
    std::ifstream in = open_input(recheck_);
    return say(recheck(read_certificate(in, recheck_, fabric), fabric, routing),
               "its numbers rise along every route");
  }

  Exit decide_shifts(const Topology& topology, const Routing& routing) const {
    const auto result = ask::shifts({topology, &routing}, {{.certificate = !certificate_.empty()}});
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const auto& answer = std::get<ask::ShiftsAnswer>(result);
    if (!certificate_.empty()) write(topology.fabric, routing, answer.verdict);
    if (as_json_) {
      write_answer(answer);
    } else {
      std::cout << (tables_.empty() ? engine_.engine : tables_) << ": ";
      print_shifts(std::cout, topology.fabric, answer.verdict);
    }
    return Exit::done;
  }

  void write(const Fabric& fabric, const Routing& routing, const ShiftVerdict& verdict) const {
    if (!verdict.certificate) {
      std::cerr << "banyan: no certificate is written: a channel carries more than one flow\n";
      return;
    }
    if (!recheck_shifts(*verdict.certificate, fabric, routing))
      throw std::logic_error("the certificate does not hold; please report this");
    write_whole(certificate_,
                [&](std::ostream& out) { write_shift_certificate(out, *verdict.certificate, fabric); });
  }

  Exit hold_shifts(const Fabric& fabric, const Routing& routing) const {
    std::ifstream in = open_input(recheck_);
    return say(recheck_shifts(read_shift_certificate(in, recheck_, fabric), fabric, routing),
               "no channel carries more than one flow in any shift");
  }

  Exit say(bool holds, std::string_view what) const {
    if (as_json_) {
      JsonWriter json(std::cout);
      begin(json);
      json.field("certificate_holds", holds).end_object();
    } else if (holds) {
      std::cout << "The certificate holds: " << what << ".\n";
    } else {
      std::cout << "The certificate does not hold.\n";
    }
    return holds ? Exit::done : Exit::verdict_no;
  }

  void write_answer(const auto& answer) const {
    JsonWriter json(std::cout);
    begin(json);
    ask::write_fields(json, answer);
    json.end_object();
  }

  void begin(JsonWriter& json) const {
    json.begin_object().field("version", version());
    json.field("seed", tables_.empty() ? engine_.seed_used() : 0);
    tables_.empty() ? json.field("engine", engine_.engine) : json.field("tables", tables_);
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  std::string tables_, lids_, service_levels_, choice_, certificate_, recheck_;
  u32 threads_ = 0;
  bool shifts_ = false, as_json_ = false;
};

}  // namespace

Verb check_verb() {
  return make_verb<Check>(
      "check",
      "Decides for all pairs: reachable, loop-free, minimal, deadlock-free; or for all shifts: contention",
      "banyan check 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --engine dmodk");
}

}  // namespace banyan::cli
