// One round of a traffic, looked at closely: loads by kind of channel, how they are spread, and the hottest
// channels with the flows on them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "flow/load_sampler.hpp"
#include "flow/load_summary.hpp"

namespace banyan::ask {

struct RoundOptions {
  std::string round{};
  u32 hottest = 3;
  bool channels = false;

  static void fields(auto& self, auto&& f) {
    f("round", self.round, "look closely at this round of the first sample, not at the worst one");
    f("hottest", self.hottest, "show so many of the hottest channels");
    f("channels", self.channels, "the load of every channel, and the maximum of every round");
  }
};

struct RoundAnswer {
  struct Kind : ChannelKind {
    static void fields(auto& self, auto&& f) {
      f("kind", self.name, "", "which channels");
      f("channels", self.channels, "channels", "that are cabled");
      f("loaded", self.loaded, "channels", "of these, with a load");
      f("max_load", self.max_load, "flows", "the greatest load");
      f("mean_load", self.mean_load, "flows", "the mean load");
    }
  };
  struct Range : LoadRange {
    static void fields(auto& self, auto&& f) {
      f("from", self.from, "flows", "the least load in the range");
      f("to", self.to, "flows", "the greatest load in the range");
      f("channels", self.channels, "channels", "with such a load");
    }
  };
  struct Share {
    std::string source{}, destination{};
    double load = 0;

    static void fields(auto& self, auto&& f) {
      f("source", self.source, "", "who sends");
      f("destination", self.destination, "", "who receives");
      f("load", self.load, "flows", "on the channel");
    }
  };
  struct Hot {
    u32 channel = 0;
    std::string name{};
    double load = 0;
    std::vector<Share> flows{};

    static void fields(auto& self, auto&& f) {
      f("channel", self.channel, "", "its number");
      f("name", self.name, "", "its ports");
      f("load", self.load, "flows", "on it");
      f("flows", self.flows, "", "that it carries");
    }
  };

  u64 worst_sample = 0, worst_round = 0;
  std::optional<u64> round{};
  std::vector<Kind> channels{};
  std::vector<Range> distribution{};
  std::vector<Hot> hottest{};
  std::optional<std::vector<double>> channel_loads{}, round_max_loads{};
  u64 number = 0;                     // which one this is: rounds are counted through all samples
  IdVector<Channel, double> loads{};  // in it

  static void fields(auto& self, auto&& f) {
    f("worst_sample", self.worst_sample, "", "the sample with the heaviest load");
    f("worst_round", self.worst_round, "", "its round with the heaviest load");
    f("round", self.round, "", "the one that is looked at, where it is not the worst");
    f("channels", self.channels, "", "by kind");
    f("distribution", self.distribution, "", "how many channels have which load");
    f("hottest", self.hottest, "", "the channels with the heaviest loads");
    f("channel_loads", self.channel_loads, "flows", "by channel");
    f("round_max_loads", self.round_max_loads, "flows",
      "the heaviest load in each round of the first sample");
  }
};

}  // namespace banyan::ask
