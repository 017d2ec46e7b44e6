// banyan route: tables for a fabric, judged before they are written.
#include "ask/route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/opensm_folder.hpp"
#include "cli/verdict_output.hpp"

namespace banyan::cli {
namespace {

class Route {
 public:
  using Answers = std::tuple<ask::RouteAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    arguments.file("--out", out_, "DIR", "write tables for OpenSM there: lfts, guid2lid, opensm.conf, ...");
    arguments.flag("--force", force_, "write them even if the verdict is no");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    const RouteResult engine = engine_.route(loaded.topology);
    if (const auto* reason = std::get_if<NotApplicable>(&engine)) return refuse(*reason);
    const Routing& ideal = std::get<Routing>(engine);
    ask::Situation at{loaded.topology, &ideal};
    at.threads = threads_ ? threads_ : default_threads();
    const auto result = ask::route(at, loaded.ids);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const auto& answer = std::get<ask::RouteAnswer>(result);
    OpensmFolder written;
    if (!out_.empty() && (answer.verdict.yes() || force_))
      written = write_opensm_folder(out_, answer.subnet, *answer.tables);
    as_json_ ? write(answer, written) : print(ideal, answer, written);
    return answer.verdict.yes() ? Exit::done : Exit::verdict_no;
  }

 private:
  void print(const Routing& ideal, const ask::RouteAnswer& answer, const OpensmFolder& written) const {
    const u32 addresses = answer.addresses_per_nic, lanes = answer.tables->lanes;
    std::cout << fmt::format("{}: {}, {} address{} a NIC, {} lane{}\n", engine_.engine,
                             answer.verdict.yes() ? "yes" : "no", addresses, addresses > 1 ? "es" : "", lanes,
                             lanes > 1 ? "s" : "");
    print_verdict(std::cout, answer.verdict);
    if (answer.others.different > 0)
      std::cout << fmt::format(
          "  {:.1f} % of the paths differ from the engine's, which {}\n", 100 * answer.others.share(),
          ideal.source.reads() == Reads::nic ? "look at the source" : "would need more addresses");
    if (out_.empty()) return;
    if (written.files.empty()) {
      std::cout << "Nothing was written: the verdict is no (--force writes all the same).\n";
      return;
    }
    std::cout << fmt::format("Written to {}: {}\n", out_, fmt::join(written.files, " "));
    if (!written.remark.empty()) std::cout << "  " << written.remark << '\n';
    std::cout << "Load with   " << written.load << "\nJudge with  " << written.check << '\n';
  }

  void write(const ask::RouteAnswer& answer, const OpensmFolder& written) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.seed_used());
    json.field("engine", engine_.engine);
    ask::write_fields(json, answer);
    ask::write_fields(json, written);
    json.end_object();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  std::string out_;
  bool force_ = false, as_json_ = false;
  u32 threads_ = 0;
};

}  // namespace

Verb route_verb() {
  return make_verb<Route>("route", "Routes a fabric and writes tables that OpenSM loads",
                          "banyan route ibnetdiscover.out --engine dmodc --out tables");
}

}  // namespace banyan::cli
