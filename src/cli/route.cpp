// banyan route: tables for a fabric, judged before they are written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/opensm_folder.hpp"
#include "cli/verdict_output.hpp"
#include "routing/table_form.hpp"
#include "verify/levels.hpp"

namespace banyan::cli {
namespace {

class Route {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    arguments.value("--out", out_, "DIR", "write tables for OpenSM there: lfts, guid2lid, opensm.conf, ...");
    arguments.flag("--force", force_, "write them even if the verdict is no");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    const Topology& topology = loaded.topology;
    tell_remark(topology);
    const RouteResult engine = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&engine)) return refuse(*reason);
    const Routing& ideal = std::get<Routing>(engine);
    const RouteResult result = tables_of(topology, ideal);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    const AddressChoice* choice = routing.source.choice();
    const auto subnet = choice ? assign_lids(topology.fabric, loaded.ids, routing.lmc, *choice)
                               : assign_lids(topology.fabric, loaded.ids, routing.lmc);
    if (const auto* reason = std::get_if<NotApplicable>(&subnet)) return refuse(*reason);

    const unsigned threads = threads_ ? threads_ : default_threads();
    const Verdict verdict = judge(topology.fabric, routing, {threads, levels(topology)});
    const OtherPaths others = share_of_other_paths(topology.fabric, ideal, routing);
    OpensmFolder written;
    if (!out_.empty() && (verdict.yes() || force_))
      written = write_opensm_folder(out_, std::get<Subnet>(subnet), routing);
    as_json_ ? write(routing, verdict, others, written) : print(ideal, routing, verdict, others, written);
    return verdict.yes() ? Exit::done : Exit::verdict_no;
  }

 private:
  void print(const Routing& ideal, const Routing& routing, const Verdict& verdict, const OtherPaths& others,
             const OpensmFolder& written) const {
    std::cout << fmt::format("{}: {}, {} address{} a NIC, {} lane{}\n", engine_.engine,
                             verdict.yes() ? "yes" : "no", 1u << routing.lmc, routing.lmc ? "es" : "",
                             routing.lanes, routing.lanes > 1 ? "s" : "");
    print_verdict(std::cout, verdict);
    if (others.different > 0)
      std::cout << fmt::format(
          "  {:.1f} % of the paths differ from the engine's, which {}\n", 100 * others.share(),
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

  void write(const Routing& routing, const Verdict& verdict, const OtherPaths& others,
             const OpensmFolder& written) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.seed_used());
    json.field("engine", engine_.engine).field("addresses_per_nic", 1u << routing.lmc);
    json.field("paths_unlike_the_engines", others.share());
    write_verdict(json, verdict);
    json.field("files", written.files).field("load_command", written.load);
    json.field("ibdmchk_command", written.check).field("remark", written.remark).end_object();
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
