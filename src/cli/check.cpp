// banyan check: the verdict on a routing, for all pairs.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/verdict_output.hpp"
#include "verify/levels.hpp"

namespace banyan {
namespace {

class Check {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    arguments.value("--certificate", certificate_, "FILE",
                    "write the proof that no packets wait in a circle: numbers that only rise along routes");
    arguments.value("--recheck", recheck_, "FILE",
                    "only hold the routes against a certificate written before");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    if (!loaded.topology.remark.empty()) std::cerr << "banyan: " << loaded.topology.remark << '\n';
    const RouteResult result = accused(loaded.topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    return recheck_.empty() ? decide(loaded.topology, routing) : hold(loaded.topology.fabric, routing);
  }

 private:
  // The routing to judge.
  RouteResult accused(const Topology& topology) const { return engine_.route(topology); }

  Exit decide(const Topology& topology, const Routing& routing) const {
    const unsigned threads = threads_ ? threads_ : default_threads();
    const Verdict verdict = judge(topology.fabric, routing, {threads, levels(topology)});
    if (!certificate_.empty()) write(topology.fabric, routing, verdict);
    if (as_json_) {
      JsonWriter json(std::cout);
      begin(json);
      write_verdict(json, verdict);
      json.end_object();
    } else {
      std::cout << engine_.engine << (verdict.yes() ? ": yes\n" : ": no\n");
      print_verdict(std::cout, verdict);
    }
    return verdict.yes() ? Exit::done : Exit::verdict_no;
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
    std::ifstream in(recheck_);
    if (!in) throw InputError({recheck_}, "cannot be read");
    const bool holds = recheck(read_certificate(in, recheck_, fabric), fabric, routing);
    if (as_json_) {
      JsonWriter json(std::cout);
      begin(json);
      json.field("certificate_holds", holds).end_object();
    } else {
      std::cout << (holds ? "The certificate holds: its numbers rise along every route.\n"
                          : "The certificate does not hold.\n");
    }
    return holds ? Exit::done : Exit::verdict_no;
  }

  void begin(JsonWriter& json) const {
    json.begin_object().field("version", version()).field("seed", engine_.seed_used());
    json.field("engine", engine_.engine);
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  std::string certificate_, recheck_;
  u32 threads_ = 0;
  bool as_json_ = false;
};

}  // namespace

Verb check_verb() {
  return make_verb<Check>(
      "check", "Decides for all pairs: reachable, loop-free, minimal, deadlock-free with its lanes",
      "banyan check 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --engine dmodk");
}

}  // namespace banyan
