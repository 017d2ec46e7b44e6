// banyan demands: what hosts will send each other, for engines that balance by it (domke19, section 4.4.3:
// profiles of ranks times the hosts that they run on; several jobs add up).
#include <fmt/format.h>

#include <iostream>

#include "base/file.hpp"
#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "routing/node_demands.hpp"

namespace banyan::cli {
namespace {

// All rounds of one sample added up.
std::vector<HostAmount> amounts_of(const Job& job, u64 seed) {
  std::vector<HostAmount> out;
  std::vector<Demand> round;
  for (u64 r = 0; r < job.traffic.rounds; ++r) {
    round.clear();
    job.traffic.list(seed, 0, r, round);
    for (const Demand& d : round) out.push_back({job.placement[d.from], job.placement[d.to], d.amount});
  }
  return out;
}

class Demands {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    traffic_.declare(arguments);
    arguments.value("--seed", seed_, "S", "of traffic and placement that are drawn (default 1)");
    arguments.value("--out", out_, "FILE", "write them there (default: standard output)");
    arguments.flag("--json", as_json_, "for machines: how many there are, and the largest; needs --out");
  }

  Exit run() const {
    if (as_json_ && out_.empty()) throw InputError("--json needs --out: standard output is taken");
    const Loaded loaded = load(fabric_);
    const u64 seed = seed_ > 0 ? seed_ : 1;
    const Job job = traffic_.situation(loaded.topology, nullptr, seed).job(ShorterJobs::end);
    const std::vector<HostDemand> demands = normalised(amounts_of(job, seed));
    const auto write = [&](std::ostream& out) { write_host_demands(out, demands, loaded.topology.fabric); };
    if (out_.empty())
      write(std::cout);
    else
      write_whole(out_, write);
    if (as_json_) {
      JsonWriter json(std::cout);
      json.begin_object().field("version", version()).field("seed", seed).field("traffic", traffic_.text());
      json.field("pairs", u64{demands.size()}).field("file", out_).end_object();
    }
    return Exit::done;
  }

 private:
  FabricArgument fabric_;
  TrafficArgument traffic_;
  std::string out_;
  u32 seed_ = 0;
  bool as_json_ = false;
};

}  // namespace

Verb demands_verb() {
  return make_verb<Demands>(
      "demands", "What hosts send each other, as a file that parx, sssp and dfsssp weigh",
      "banyan demands fabric.out --job 'ranks=56; traffic=demand:amg.csv' --out demands.txt");
}

}  // namespace banyan::cli
