// banyan route: tables for a fabric, judged before they are written.
#include "ask/route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/opensm_folder.hpp"
#include "cli/routed_argument.hpp"
#include "cli/verdict_output.hpp"

namespace banyan::cli {
namespace {

class Route {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::RouteAnswer, OpensmFolder>()}; }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    arguments.file("--out", out_, "DIR",
                   "write tables for OpenSM into this folder: lfts, guid2lid, opensm.conf, ...");
    arguments.flag("--force", force_, "write the tables even if the verdict is no");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    ask::Situation at{made.loaded.topology, &std::get<Routing>(made.result)};
    at.threads = threads_;
    const auto result = ask::route(at, made.loaded.ids);
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::RouteAnswer>(result);
    OpensmFolder written;
    if (!out_.empty() && (found.verdict.yes() || force_)) {
      written = write_opensm_folder(out_, found.subnet, *found.tables);
      if (made.loaded.ids.empty())
        std::cerr
            << "banyan: this fabric has no GUIDs, so the tables have made-up ones: they fit a simulated "
               "subnet, not a live one; route what ibnetdiscover found there\n";
    }
    as_json_ ? print_json(made.router.head(), found, written) : print(made, found, written);
    return found.verdict.yes() ? Exit::done : Exit::verdict_no;
  }

 private:
  void print(const ask::RoutedFabric& made, const ask::RouteAnswer& answer,
             const OpensmFolder& written) const {
    const Routing& ideal = std::get<Routing>(made.result);
    const u32 addresses = answer.addresses_per_nic, lanes = answer.tables->lanes;
    std::cout << fmt::format("{}: {}, {} address{} a NIC, {} lane{}\n", made.router.name,
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

  RoutedArgument routed_;
  std::string out_;
  bool force_ = false, as_json_ = false;
  u32 threads_ = default_threads();
};

}  // namespace

Verb route_verb() {
  return make_verb<Route>("route", "Routes a fabric and writes tables that OpenSM loads",
                          "banyan route ibnetdiscover.out --engine dmodc --out tables");
}

}  // namespace banyan::cli
