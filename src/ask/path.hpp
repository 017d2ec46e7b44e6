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
  u32 rail = 0;
  u64 bytes = long_message;
  bool why = false;
  u32 all = 0;                      // as many shortest paths are listed
  Digits digits = Digits::unknown;  // what the engine looks at
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
      f("index", self.index, "", "of the path, as mahapatra counts in a tree; else of the way");
      f("weight", self.weight, "", "share of the messages, ways and hops offered being equally likely");
      f("arrives", self.arrives, "", "whether it ends at the destination");
      f("nodes", self.nodes, "", "that it passes");
      f("names", self.names, "", "of these nodes");
      f("ports", self.ports, "", "by which it leaves them");
      f("channels", self.channels, "", "that it takes");
      f("lanes", self.lanes, "", "that are permitted on each channel");
      f("reasons", self.reasons, "", "why it takes each channel");
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
    f("paths", self.paths, "", "that the routing permits");
    f("shortest_paths", self.shortest_paths, "", "between the two hosts, whatever the routing");
    f("shortest", self.shortest, "", "of them as many as were asked for, spread evenly, as channels");
  }

  bool all_arrive() const;  // and there is one
};

// Throws InputError where there is no such host or rail, or both are the same host.
PathAnswer path(const Situation& at, const PathOptions& options);

}  // namespace banyan::ask
