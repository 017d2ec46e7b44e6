// banyan load: what a traffic puts on the channels, flow by flow and without a clock.
#include <fmt/format.h>

#include <iostream>

#include "ask/load.hpp"
#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/load_output.hpp"
#include "cli/rail_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"

namespace banyan::cli {
namespace {

// The answer as it is printed: with what was asked, and the files that were written.
struct LoadPrinted {
  u32 hosts = 0, ranks = 0;
  std::optional<std::string> rails_policy{};
  bool per_capacity = false, in_bytes = false;
  ask::LoadAnswer answer{};
  std::optional<std::vector<std::string>> files{};

  static void fields(auto& self, auto&& f) {
    f("hosts", self.hosts, "", "hosts of the fabric");
    f("rails_policy", self.rails_policy, "",
      "with `--rails-policy`: the policy that spreads flows over rails");
    f("ranks", self.ranks, "", "ranks that take part");
    f("per_capacity", self.per_capacity, "", "loads, bounds and ratios are shares of channel capacity");
    f("in_bytes", self.in_bytes, "", "the traffic is in bytes");
    ask::LoadAnswer::fields(self.answer, f);
    f("files", self.files, "", "with `--out`: the files that were written");
  }
};

class LoadVerb {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<LoadPrinted>()}; }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    round_.declare(arguments);
    device_.declare(arguments);
    arguments.value("--queue-pairs", queue_pairs_, "K",
                    "with ecmp: queue pairs of each connection, each with a source port of its own");
    arguments.file("--out", out_, "DIR",
                   "write CSV files into this folder: the loads of all channels, the matrix");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    ask::LoadOptions options = options_.read();
    options.round = round_.read();
    if (options.round->channels && !as_json_) throw InputError("--channels: expected --json too");
    options.rates |= options_.has("rate-model");
    const ask::RoutedFabric made = routed_.open(routing());
    if (const auto status = refused(made.result)) return *status;
    const Topology& topology = made.loaded.topology;
    ask::Situation at = traffic_.situation(topology, &std::get<Routing>(made.result), routed_.seed());
    at.threads = threads_;
    at.device = device_.read().device;
    auto result = ask::load(at, options);
    if (const auto status = refused(result)) return *status;
    auto& found = std::get<ask::LoadAnswer>(result);
    say_where(at.device, found);
    std::vector<std::string> files;
    if (!out_.empty()) files = write_files(found, topology.fabric, out_);
    if (found.undelivered > 0)
      std::cerr << fmt::format("banyan: {} of {} flows do not arrive, and load nothing\n", found.undelivered,
                               found.flows);
    const Exit status = rails_exit(found.rails);
    if (as_json_)
      write(made, options, std::move(found), files);
    else
      print_text(made.router, topology.fabric, options, found, files);
    return status;
  }

 private:
  // Queue pairs are what ecmp calls paths.
  ask::RoutingOptions routing() const {
    ask::RoutingOptions out = routed_.options();
    if (queue_pairs_ == 0) return out;
    if (parse_plugin(out.engine).name != "ecmp") throw InputError("--queue-pairs: expected --engine ecmp");
    if (out.paths > 0) throw InputError("--queue-pairs and --paths: expected one of them");
    out.paths = queue_pairs_;
    return out;
  }

  // Of what was left to the program: which choice it made, unless it is the usual one.
  static void say_where(ask::DeviceChoice choice, const ask::LoadAnswer& found) {
    if (choice == ask::DeviceChoice::automatic && found.device)
      std::cerr << fmt::format("banyan: {} counted loads\n", *found.device);
    if (!found.device_failure.empty())
      std::cerr << fmt::format("banyan: processors counted loads, since a GPU failed: {}\n",
                               found.device_failure);
  }

  void write(const ask::RoutedFabric& made, const ask::LoadOptions& options, ask::LoadAnswer found,
             const std::vector<std::string>& files) const {
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.fabric = routed_.fabric.fabric;
    head.traffic = traffic_.text();
    LoadPrinted out{
        made.loaded.topology.fabric.hosts(), found.ranks, {}, options.per_capacity, found.in_bytes, {}, {}};
    if (!options.rails_policy.empty()) out.rails_policy = options.rails_policy;
    if (!files.empty()) {
      out.files = files;
      found.mpigraph.reset();  // it is in one of them
    }
    out.answer = std::move(found);
    print_json(head, out);
  }

  RoutedArgument routed_;
  TrafficArgument traffic_{"permutation"};
  OptionsArgument<ask::LoadOptions> options_;
  OptionsArgument<ask::RoundOptions> round_;
  OptionsArgument<ask::DeviceOptions> device_;
  std::string out_;
  u32 queue_pairs_ = 0;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb load_verb() {
  return make_verb<LoadVerb>(
      "load", "Loads of channels under a traffic, their bound, rates, and the hottest channels",
      "banyan load 'XGFT(3; 12,12,24; 1,12,12)' --engine disjoint --paths 8 --traffic permutation");
}

}  // namespace banyan::cli
