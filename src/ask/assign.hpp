// The cure for equal-cost multi-path: each connection gets a path, or a few, so that no channel carries much
// more than any routing must; as static paths, or as source ports for switches whose hash is known.
#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "routing/flow_hash.hpp"

namespace banyan::ask {

enum class KnownHash : u8 { none, crc32, crc16, xor16 };
constexpr std::array<std::string_view, 4> option_names(KnownHash) {
  return {"none", "crc32", "crc16", "xor16"};
}

struct AssignOptions {
  u32 ways = 4;
  u32 passes = 40;
  bool per_capacity = false;
  KnownHash hash = KnownHash::none;
  HashSeeds seeds = HashSeeds::of_switch;
  u64 hash_seed = 1;
  u32 ports = 1024;
  FilePath addresses{};
  u64 hashes = 100;

  static void fields(auto& self, auto&& f) {
    f("ways", self.ways,
      "split a connection over so many paths at most; 1, 2, 4, ... are tried until it is good");
    f("passes", self.passes, "times that every connection may move, at most");
    f("per-capacity", self.per_capacity, "loads as shares of what a channel can carry");
    f("hash", self.hash, "find source ports for switches with this hash of the 5-tuple; none: static paths");
    f("seeds", self.seeds, "of the hash: one for each switch, or the same everywhere");
    f("hash-seed", self.hash_seed, "draws the seeds of the hash, as that of the engine ecmp");
    f("ports", self.ports, "with hash: source ports that are tried for each connection");
    f("addresses", self.addresses,
      "with hash: addresses of hosts, as /etc/hosts has them, of IPv4; without it, 10.0.0.0 + NIC");
    f("hashes", self.hashes, "of ecmp with as many queue pairs and the same hash and seeds, for comparison");
  }
};

struct AssignAnswer {
  struct Path {
    std::string from{}, to{};
    u32 way = 0;
    double share = 1;
    std::optional<u32> source_port{};
    std::vector<std::string> names{};
    std::vector<u32> ports{};

    static void fields(auto& self, auto&& f) {
      f("from", self.from, "", "the host that sends");
      f("to", self.to, "", "the host that receives");
      f("way", self.way, "", "number of the path, or queue pair");
      f("share", self.share, "", "of what the connection sends");
      f("source_port", self.source_port, "",
        "with hash: the UDP source port whose hash leads along this path");
      f("names", self.names, "", "nodes of the path");
      f("ports", self.ports, "", "by node but the last: the port through which it leaves, counted from 0");
    }
  };

  u64 rounds = 0, connections = 0;
  bool in_bytes = false;
  u32 ways = 1;
  double max_load = 0, bound = 0;
  double optimum = unknown;
  bool within_one = false, optimal = false;
  double ecmp_max_load_mean = unknown, ecmp_max_load_p99 = unknown, spray_max_load = unknown,
         umulti_max_load = unknown, disjoint_max_load = unknown;
  std::vector<Path> paths{};

  static void fields(auto& self, auto&& f) {
    f("rounds", self.rounds, "", "rounds of the traffic; of a random one, those of its first sample");
    f("connections", self.connections, "", "pairs of hosts that send");
    f("in_bytes", self.in_bytes, "", "the traffic is in bytes, and so are loads");
    f("ways", self.ways, "", "paths of each connection, which share it evenly");
    f("max_load", self.max_load, "flows", "on the heaviest channel; mean over rounds");
    f("bound", self.bound, "flows",
      "no routing has less: the optimum, or a cut where that is not known; mean over rounds");
    f("optimum", self.optimum, "flows",
      "the least that any routing has; null where the linear programs would be too large");
    f("within_one", self.within_one, "",
      "in no round does a channel carry more than the bound and one largest flow");
    f("optimal", self.optimal, "", "max_load is the bound");
    f("ecmp_max_load_mean", self.ecmp_max_load_mean, "flows",
      "with as many queue pairs by chance, by the hash of --hash and --seeds: mean over hashes");
    f("ecmp_max_load_p99", self.ecmp_max_load_p99, "flows", "99 of 100 hashes have no more");
    f("spray_max_load", self.spray_max_load, "flows", "where every switch spreads packets evenly");
    f("umulti_max_load", self.umulti_max_load, "flows",
      "of fat-trees: with all paths of each pair (mahapatra, UMULTI)");
    f("disjoint_max_load", self.disjoint_max_load, "flows",
      "of fat-trees: with as many paths of each pair, whatever the traffic (mahapatra, disjoint)");
    f("paths", self.paths, "", "by connection and way");
  }
};

// `at` has the fabric and the traffic; its routing is not asked. Not applicable where hosts do not reach each
// other, where no source port leads to the destination, or with too much to list.
Result<AssignAnswer> assign(const Situation& at, const AssignOptions& options);

// A line for each path: from,to,way,share and where it goes, or with a hash from,to,queue_pair,source_port.
void write_assignment(std::ostream& out, const AssignAnswer& answer);

}  // namespace banyan::ask
