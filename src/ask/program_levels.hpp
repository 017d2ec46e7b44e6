// One program at several levels, one beside the other: how long each says it takes, how far they are apart,
// and what each costs to find out.
#pragma once
#include <string_view>
#include <vector>

#include "ask/time.hpp"

namespace banyan::ask {

struct LevelsAnswer {
  struct Level {
    TimeLevel level = TimeLevel::fluid;
    double seconds = 0, difference = 0, critical_path_seconds = 0;
    u64 flow_events = 0, cycles = 0;
    double cpu_seconds = 0;

    static void fields(auto& self, auto&& f) {
      f("level", self.level, "", "how it was found");
      f("seconds", self.seconds, "seconds", "from the beginning until the last operation has ended");
      f("difference", self.difference, "",
        "of these seconds from those of the last level in the list, as a share of the latter");
      f("critical_path_seconds", self.critical_path_seconds, "seconds",
        "of the longest chain of operations, if messages met no others and no rank waited for a stream or a "
        "NIC");
      f("flow_events", self.flow_events, "", "beginnings and ends of flows, each of which changes rates");
      f("cycles", self.cycles, "cycles", "with level=flit: until the last message has arrived; else 0");
      f("cpu_seconds", self.cpu_seconds, "seconds",
        "CPU time of the process while this level ran, once fabric, routing and program were there; that of "
        "all its threads, also where they answer something else");
    }
  };
  u32 hosts = 0, ranks = 0;
  u64 operations = 0, messages = 0;
  double bytes = 0, link = 0;
  std::optional<std::string> rails_policy{}, algorithm{};
  std::optional<u64> unequal_sizes{};
  std::vector<Level> levels{};

  static void fields(auto& self, auto&& f) {
    f("hosts", self.hosts, "", "of the fabric");
    f("ranks", self.ranks, "", "of the program");
    f("operations", self.operations, "", "of all ranks: what they compute, send and receive");
    f("messages", self.messages, "messages", "of all ranks");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("rails_policy", self.rails_policy, "", "of several rails: how messages use them");
    f("algorithm", self.algorithm, "", "of a collective that was made: how it is done");
    f("unequal_sizes", self.unequal_sizes, "messages",
      "whose receive names another size than their send, which counts");
    f("levels", self.levels, "", "that were asked for, the most exact one last");
  }
};

// "all", or levels with commas between, such as loggops,fluid. The most exact one comes last, whatever their
// order in the text. Throws InputError for a level that is unknown or there twice, and for fewer than two.
std::vector<TimeLevel> read_levels(std::string_view text);

// As program_time() at each of these levels. Throws InputError, with the level that refuses the program.
LevelsAnswer program_levels(const Situation& at, const TimingOptions& options, const Program& program,
                            const std::vector<TimeLevel>& levels);

}  // namespace banyan::ask
