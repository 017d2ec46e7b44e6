// banyan load: what a traffic puts on the channels, flow by flow and without a clock.
#include <fmt/format.h>

#include <iostream>

#include "ask/load.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/load_output.hpp"
#include "cli/options_argument.hpp"
#include "cli/traffic_argument.hpp"

namespace banyan::cli {
namespace {

class LoadVerb {
 public:
  using Answers = std::tuple<ask::LoadAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    round_.declare(arguments);
    arguments.file("--out", out_, "DIR",
                   "write the loads of all channels there, and matrix and rounds where asked for, as CSV");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    ask::LoadOptions options = options_.read();
    options.round = round_.read();
    if (options.round->channels && !as_json_) throw InputError("--channels: expected --json too");
    options.time |= options_.has_any_of<TimeOptions>();  // a term of the time implies it
    options.rates |= options_.has("rate-model") && !options.time;
    const Topology topology = load(fabric_).topology;
    tell_remark(topology);
    const RouteResult routed = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&routed)) return refuse(*reason);
    ask::Situation at = traffic_.situation(topology, &std::get<Routing>(routed), engine_.drawing_seed());
    at.threads = threads_ > 0 ? threads_ : default_threads();
    auto result = ask::load(at, options);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    auto& answer = std::get<ask::LoadAnswer>(result);
    std::vector<std::string> files;
    if (!out_.empty()) files = write_files(answer, topology.fabric, out_);
    as_json_ ? print_json(at, options, answer, files) : print_text(topology.fabric, options, answer, files);
    if (answer.undelivered > 0)
      std::cerr << fmt::format("banyan: {} of {} flows do not arrive, and load nothing\n", answer.undelivered,
                               answer.flows);
    return Exit::done;
  }

 private:
  void print_json(const ask::Situation& at, const ask::LoadOptions& options, ask::LoadAnswer& answer,
                  const std::vector<std::string>& files) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("fabric", fabric_.fabric).field("engine", engine_.engine).field("traffic", traffic_.text());
    json.field("hosts", at.topology.fabric.hosts());
    if (!options.rails_policy.empty()) json.field("rails_policy", options.rails_policy);
    json.field("ranks", answer.ranks).field("per_capacity", options.per_capacity);
    json.field("in_bytes", at.job().traffic.in_bytes);
    if (!files.empty()) answer.mpigraph.reset();  // it is in one of them
    ask::write_fields(json, answer);
    if (!files.empty()) json.field("files", files);
    json.end_object();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  TrafficArgument traffic_{"permutation"};
  OptionsArgument<ask::LoadOptions> options_;
  OptionsArgument<ask::RoundOptions> round_;
  std::string out_;
  u32 threads_ = 0;
  bool as_json_ = false;
};

}  // namespace

Verb load_verb() {
  return make_verb<LoadVerb>(
      "load", "Loads of channels under a traffic, their bound, rates and times, and the hottest channels",
      "banyan load 'XGFT(3; 12,12,24; 1,12,12)' --engine disjoint --paths 8 --traffic permutation");
}

}  // namespace banyan::cli
