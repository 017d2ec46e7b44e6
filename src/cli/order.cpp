// banyan order: in which order ranks should stand on the hosts of a job, and which hosts it should get.
#include "ask/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "ask/traffic_options.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/units.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "formats/hostlist.hpp"

namespace banyan::cli {
namespace {

struct WriteOptions {
  ask::OrderFormat format = ask::OrderFormat::rankfile;
  static void fields(auto& self, auto&& f) {
    f("format", self.format,
      "of --write: rankfile (Open MPI), hostfile (Slurm, --distribution=arbitrary) or nccl (each host once)");
  }
};

class OrderVerb {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::OrderAnswer>()}; }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    arguments.option(option_infos<ask::OrderHosts>().front(), hosts_);  // "" is refused: so it is no default
    arguments.option(option_infos<ask::TrafficPattern>().front(), traffic_);
    options_.declare(arguments);
    arguments.output("--write", write_, "FILE", "write the order for those who start the job");
    format_.declare(arguments);
    device_.declare(arguments);
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::OrderOptions options = options_.read();
    const ask::OrderFormat format = format_.read().format;
    if (traffic_.empty()) throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
    if (trim(hosts_).empty()) throw InputError("--hosts is empty; expected hosts, or * for all");
    if (write_.empty() && format_.has_any()) throw InputError("--format is about --write, which is missing");
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    const Topology& topology = made.loaded.topology;
    const ask::Situation at{.topology = topology,
                            .routing = &std::get<Routing>(made.result),
                            .traffic = ask::with_own_names(traffic_),
                            .seed = routed_.seed(),
                            .threads = threads_,
                            .screen = Progress::standard_error(),
                            .device = device_.read().device};
    const std::vector<Host> hosts = ask::host_list(topology.fabric, hosts_ == "*" ? "" : hosts_);
    if (hosts_ != "*") tell_host_numbers(topology.fabric, pieces());
    const auto result = ask::order(at, hosts, made.router, options);
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::OrderAnswer>(result);
    say_where(at.device, found);
    if (!write_.empty())
      write_whole(write_, [&](std::ostream& file) { write_order(file, found, options.processes, format); });
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.fabric = routed_.fabric.fabric;
    head.traffic = at.traffic;
    as_json_ ? print_json(head, found) : print(made.router, found);
    return Exit::done;
  }

 private:
  // Of what was left to the program: which choice it made, unless it is the usual one.
  static void say_where(ask::DeviceChoice choice, const ask::OrderAnswer& found) {
    if (choice == ask::DeviceChoice::automatic && found.device)
      std::cerr << fmt::format("banyan: {} searched\n", *found.device);
    if (!found.device_failure.empty())
      std::cerr << fmt::format("banyan: processors searched, since a GPU failed: {}\n", found.device_failure);
  }

  std::vector<std::string> pieces() const {
    std::vector<std::string> out;
    expand_hostlist(hosts_, 0, out);
    return out;
  }

  void print(const ask::FabricRouter& router, const ask::OrderAnswer& answer) const {
    std::cout << fmt::format("{}: {} ranks on {} hosts{}, {} round{} of {}\n\n", router.name, answer.ranks,
                             answer.order.size(),
                             answer.chosen_from ? fmt::format(" out of {}", *answer.chosen_from) : "",
                             answer.rounds, answer.rounds == 1 ? "" : "s", traffic_);
    std::cout << fmt::format("{:<12}{:>12}{:>12}  {}\n", "order", "max load", "bound", "contention");
    const bool in_bytes = answer.in_bytes && !options_.read().per_capacity;
    const auto load = [&](double value) {
      return in_bytes ? bytes_text(value) : fmt::format("{:.6g}", value);
    };
    const auto row = [&](std::string_view what, const auto& side, std::string_view proof = "counted") {
      std::cout << fmt::format("{:<12}{:>12}{:>12}  {}\n", what, load(side.max_load), load(side.bound),
                               side.contention_free ? fmt::format("none ({})", proof)
                               : answer.one_hash    ? "under some hashes"
                                                    : "yes");
    };
    row("this one", answer, answer.proof == ask::OrderProof::theorem ? "theorem" : "counted");
    row("as given", answer.as_given);
    row("by switch", answer.by_switch);
    row("random", answer.random);
    std::cout << fmt::format("\n{}; found {}\n",
                             answer.optimal
                                 ? "no order has less"
                                 : "an order with less was not found; the bound does not exclude one",
                             how(answer));
    if (answer.one_hash)
      std::cout << fmt::format(
          "switches hash: loads and order are those of the hash of seed {}; others may want another order\n",
          routed_.seed());
    if (is_listable(answer)) std::cout << compress_hostlist(answer.names) << '\n';
    if (!write_.empty()) std::cout << fmt::format("wrote {}\n", write_);
  }

  static bool is_listable(const ask::OrderAnswer& answer) {
    return std::all_of(answer.names.begin(), answer.names.end(),
                       [](const std::string& name) { return is_hostlist_name(name); });
  }

  static std::string how(const ask::OrderAnswer& answer) {
    switch (answer.found_by) {
      case ask::FoundBy::as_given:
        return "as given";
      case ask::FoundBy::by_number:
        return "by number";
      case ask::FoundBy::by_switch:
        return "by switch";
      case ask::FoundBy::in_turn:
        return "in turn over the switches";
      case ask::FoundBy::random:
        return "at random";
      case ask::FoundBy::search:
        return fmt::format("by a search of {} swaps", answer.swaps);
      case ask::FoundBy::all_orders:
        return "by trying all orders";
    }
    return "";
  }

  RoutedArgument routed_;
  std::string hosts_ = "*", traffic_, write_;
  OptionsArgument<ask::OrderOptions> options_;
  OptionsArgument<WriteOptions> format_;
  OptionsArgument<ask::DeviceOptions> device_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb order_verb() {
  return make_verb<OrderVerb>(
      "order", "In which order ranks should stand on the hosts of a job",
      "banyan order '4-ary 3-tree' --hosts h[0-11],h[20-31] --traffic ring --engine dmodk");
}

}  // namespace banyan::cli
