// The paths of one pair, hop by hop; why each hop is taken; and every shortest path beside them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "routing/reasons.hpp"

namespace banyan::ask {

struct PathOptions {
  std::string source{}, destination{};  // hosts, by number or name
  u64 bytes = 0;
  u32 rail = 0;
  bool why = false;
  u32 all = 0;
  Digits digits = Digits::unknown;  // what the engine looks at

  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "length of the message, for engines that look at it; 0: a long message");
    f("rail", self.rail, "rail by which the message is sent");
    f("why", self.why, "give the reason for each hop");
    f("all", self.all, "also list every shortest path; of more than this many, this many spread evenly");
  }
};

struct PathAnswer {
  struct Path {
    u64 index = 0;
    double weight = 1;
    bool arrives = false;
    std::vector<u32> nodes{};
    std::vector<std::string> names{};
    std::vector<u32> ports{};
    std::vector<Channel> channels{};
    std::vector<std::vector<u32>> lanes{};
    std::optional<std::vector<std::string>> reasons{};

    static void fields(auto& self, auto&& f) {
      f("index", self.index, "",
        "in a fat-tree the number of the path as mahapatra counts, elsewhere the number of the way");
      f("weight", self.weight, "",
        "share of the messages of the pair; ways and hops that are offered are equally likely");
      f("arrives", self.arrives, "", "false for a path that ends elsewhere; the exit status is then 1");
      f("nodes", self.nodes, "", "nodes that it visits, hosts included");
      f("names", self.names, "", "names of these nodes");
      f("ports", self.ports, "", "by channel: the port through which it leaves, counted from 0");
      f("channels", self.channels, "", "channels that it takes");
      f("lanes", self.lanes, "", "by channel: the lanes that are permitted");
      f("reasons", self.reasons, "", "by channel: why it is taken");
    }
  };
  std::string source{}, destination{};
  u32 rail = 0;
  std::vector<Path> paths{};
  std::optional<u64> shortest_paths{};
  std::optional<std::vector<std::vector<Channel>>> shortest{};

  static void fields(auto& self, auto&& f) {
    f("source", self.source, "", "the host that sends");
    f("destination", self.destination, "", "the host that receives");
    f("rail", self.rail, "", "by which it sends");
    f("paths", self.paths, "", "paths that the routing permits");
    f("shortest_paths", self.shortest_paths, "",
      "number of shortest paths between the two hosts, whatever the routing");
    f("shortest", self.shortest, "",
      "as many of the shortest paths as were asked for, spread evenly, as channels");
  }

  bool all_arrive() const;  // and there is one
};

// Throws InputError where there is no such host or rail, or both are the same host.
PathAnswer path(const Situation& at, const PathOptions& options);

}  // namespace banyan::ask
