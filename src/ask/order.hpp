// In which order ranks should stand on the hosts of a job, and which hosts it should get, on the fabric as it
// is and as it is routed: an order with a small maximum load, what no order can be below, and other orders
// for comparison.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/fabric_router.hpp"
#include "ask/situation.hpp"

namespace banyan::ask {

struct OrderOptions {
  u32 choose = 0;
  u32 processes = 1;
  bool per_capacity = false;
  u32 starts = 8;
  u64 swaps = 20'000;

  static void fields(auto& self, auto&& f) {
    f("choose", self.choose, "hosts that the job needs: so many of --hosts are chosen for it; 0: it has all");
    f("processes", self.processes, "ranks of each host; they follow each other");
    f("per-capacity", self.per_capacity, "loads as shares of what a channel can carry");
    f("starts", self.starts,
      "orders that the search starts from, at most 65536: as given, by number, by switch, in turn over the "
      "switches, then random ones");
    f("swaps", self.swaps, "swaps of two hosts that are tried from each start; 0: no search");
  }
};

// What stands behind contention_free: a theorem for all fabrics of the kind; that all rounds were counted on
// this one; nothing.
enum class OrderProof : u8 { none, counted, theorem };
constexpr std::array<std::string_view, 3> option_names(OrderProof) { return {"none", "counted", "theorem"}; }

struct OrderHosts {
  std::string hosts = "*";

  static void fields(auto& self, auto&& f) {
    f("hosts", self.hosts, "hosts of the job by names, numbers and ranges: h[0-3],h9,12,16-19; *: all hosts");
  }
};

enum class FoundBy : u8 { as_given, by_number, by_switch, in_turn, random, search, all_orders };
constexpr std::array<std::string_view, 7> option_names(FoundBy) {
  return {"as_given", "by_number", "by_switch", "in_turn", "random", "search", "all_orders"};
}

struct OrderAnswer {
  struct Side {
    double max_load = 0, bound = 0;
    bool contention_free = false;

    static void fields(auto& self, auto&& f) {
      f("max_load", self.max_load, "flows", "on the heaviest channel; mean over rounds");
      f("bound", self.bound, "flows", "no routing has less with this order");
      f("contention_free", self.contention_free, "", "in no round do two flows share a channel");
    }
  };

  u32 ranks = 0;
  std::optional<u32> chosen_from{};
  u64 rounds = 0;
  bool in_bytes = false, one_hash = false;
  std::vector<Host> order{};
  std::vector<std::string> names{};
  double max_load = 0, max_load_worst = 0, bound = 0;
  bool contention_free = false;
  OrderProof proof = OrderProof::none;
  bool optimal = false;
  FoundBy found_by = FoundBy::as_given;
  u64 swaps = 0;
  Side as_given{}, by_switch{}, random{};
  std::optional<std::string> device{};
  std::string device_failure{};  // of a GPU that was chosen and failed: why; processors did its work

  static void fields(auto& self, auto&& f) {
    f("ranks", self.ranks, "", "ranks of the job");
    f("chosen_from", self.chosen_from, "", "with `--choose`: hosts of --hosts, of which the order has some");
    f("rounds", self.rounds, "", "rounds of the traffic; of a random one, those of its first sample");
    f("in_bytes", self.in_bytes, "", "the traffic is in bytes, and so are loads");
    f("one_hash", self.one_hash, "",
      "switches choose next hops by a hash: loads, optimal and the order are about the hash of this seed; "
      "contention_free is about all hashes");
    f("order", self.order, "",
      "host numbers by rank; with several processes, those of the first of each host");
    f("names", self.names, "", "the names of these hosts");
    f("max_load", self.max_load, "flows", "on the heaviest channel, as `load` counts it; mean over rounds");
    f("max_load_worst", self.max_load_worst, "flows", "the greatest of any round");
    f("bound", self.bound, "flows",
      "no order of these hosts (with `--choose`, of some of them) has a smaller max_load: by cuts, which "
      "holds for any routing; or since all "
      "orders "
      "were tried");
    f("contention_free", self.contention_free, "",
      "proved: in no round do two flows share a channel, whatever adaptive switches choose or hashes give");
    f("proof", self.proof, "",
      "of contention_free: theorem (zahavi10, all shifts on all hosts of an RLFT under d-mod-k), counted "
      "(every "
      "round on this fabric), or none");
    f("optimal", self.optimal, "", "proved: max_load is the bound");
    f("found_by", self.found_by, "", "where the order comes from");
    f("swaps", self.swaps, "", "swaps that the search was allowed, over all starts");
    f("as_given", self.as_given, "",
      "the hosts in the order of the list; with `--choose`, the first of them");
    f("by_switch", self.by_switch, "", "the hosts sorted by their switch, then by number");
    f("random", self.random, "", "the hosts shuffled by the seed");
    f("device", self.device, "", "the GPU that searched; absent where processors did, or nobody had to");
  }
};

// Names, numbers and ranges of hosts: h[0-3],h9,12,16-19. Empty: all hosts. Throws InputError for what is no
// host, and for a host that is named twice.
std::vector<Host> host_list(const Fabric& fabric, std::string_view text);

// `at` has the routing and the traffic, a pattern; its ranks and placement follow from the hosts. The router
// says whether a theorem applies. Not applicable where a flow does not arrive, with too many flows to list,
// or where a GPU that was demanded is not there or fails.
Result<OrderAnswer> order(const Situation& at, std::span<const Host> hosts, const FabricRouter& router,
                          const OrderOptions& options = {});

// How an order is written for those who start the job.
enum class OrderFormat : u8 { rankfile, hostfile, nccl };
constexpr std::array<std::string_view, 3> option_names(OrderFormat) {
  return {"rankfile", "hostfile", "nccl"};
}
// Throws InputError for a name that the format cannot hold.
void write_order(std::ostream& out, const OrderAnswer& answer, u32 processes, OrderFormat format);

}  // namespace banyan::ask
