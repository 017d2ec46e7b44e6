// banyan assign: a path for each connection, instead of what hashes make of them.
#include "ask/assign.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/units.hpp"
#include "cli/answer_output.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"

namespace banyan::cli {
namespace {

struct SeedOption {
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("seed", self.seed,
      "seed of everything that is drawn: traffic, placement, the order in which paths move");
  }
};

class AssignVerb {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::AssignAnswer>()}; }

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    seed_.declare(arguments);
    arguments.output("--write", write_, "FILE", "write the paths, or with --hash the source ports, as CSV");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::AssignOptions options = options_.read();
    const u64 seed = seed_.read().seed;
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    ask::Situation at = traffic_.situation(loaded.topology, nullptr, seed);
    at.threads = threads_;
    const auto result = ask::assign(at, options);
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::AssignAnswer>(result);
    if (!write_.empty()) write_whole(write_, [&](std::ostream& file) { write_assignment(file, found); });
    ask::AnswerHead head{.seed = seed};
    head.fabric = fabric_.fabric;
    head.traffic = traffic_.text();
    as_json_ ? print_json(head, found) : print(found);
    return Exit::done;
  }

 private:
  void print(const ask::AssignAnswer& answer) const {
    std::cout << fmt::format("{} connection{}, {} path{} each\n\n", answer.connections,
                             answer.connections == 1 ? "" : "s", answer.ways, answer.ways == 1 ? "" : "s");
    const bool in_bytes = answer.in_bytes && !options_.read().per_capacity;
    const auto row = [&](std::string_view what, double load, std::string_view remark = "") {
      if (std::isfinite(load))
        std::cout << fmt::format("{:<34}{:>10}{}{}\n", what,
                                 in_bytes ? bytes_text(load) : fmt::format("{:.6g}", load),
                                 remark.empty() ? "" : "  ", remark);
    };
    row("maximum load", answer.max_load,
        answer.optimal      ? "no routing has less"
        : answer.within_one ? "within one flow of the bound"
                            : "");
    row(std::isfinite(answer.optimum) ? "bound: best routing" : "bound: cuts", answer.bound);
    row("ecmp, mean over hashes", answer.ecmp_max_load_mean);
    row("ecmp, 99 of 100 hashes", answer.ecmp_max_load_p99);
    row("spraying", answer.spray_max_load);
    row("all paths (umulti)", answer.umulti_max_load);
    row("as many paths (disjoint)", answer.disjoint_max_load);
    if (options_.has("hash"))
      std::cout
          << "\nThe hash is a model: addresses are 10.0.0.0 + NIC, and seeds are drawn. Switches with other\n"
             "addresses, seeds or another order of next hops take other paths for these source ports.\n";
    if (!write_.empty()) std::cout << fmt::format("\nwrote {}\n", write_);
  }

  FabricArgument fabric_;
  TrafficArgument traffic_;
  OptionsArgument<ask::AssignOptions> options_;
  OptionsArgument<SeedOption> seed_;
  std::string write_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb assign_verb() {
  return make_verb<AssignVerb>(
      "assign", "A path for each connection, or a source port, instead of what hashes make of them",
      "banyan assign 'XGFT(2; 16,16; 1,16)' --traffic shift:16 --hash crc32");
}

}  // namespace banyan::cli
