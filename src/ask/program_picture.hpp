// What a page shows of a program's run: the timelines of ranks, the chain of operations that decided when it
// ended, and the links that held that chain up.
#pragma once
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::ask {

struct Timing;

struct ProgramPicture {
  struct Step {
    u32 rank = 0, to = 0, line = 0;
    std::string kind{}, operation{};
    double begin = 0, seconds = 0;

    static void fields(auto& self, auto&& f) {
      f("rank", self.rank, "", "that does it");
      f("to", self.to, "", "of a message: the rank that receives it; else the same");
      f("line", self.line, "", "of the program's file; 0: there is none");
      f("kind", self.kind, "", "computing, message, sending or receiving");
      f("operation", self.operation, "", "what it does");
      f("begin", self.begin, "seconds", "when the chain came to it");
      f("seconds", self.seconds, "seconds", "how long the chain stayed");
    }
  };
  struct Link {
    std::string from{}, port{}, to{};
    double seconds = 0;

    static void fields(auto& self, auto&& f) {
      f("from", self.from, "", "node");
      f("port", self.port, "", "of that node");
      f("to", self.to, "", "node at the other end");
      f("seconds", self.seconds, "seconds", "by which it held messages of the chain up");
    }
  };
  // Percent of cells: by row of ranks and column of time.
  using Cells = std::vector<std::vector<u32>>;

  u64 chain_steps = 0;
  double computing_seconds = 0, message_seconds = 0, other_seconds = 0, held_seconds = 0;
  std::vector<Step> chain{};
  std::vector<Link> links{};
  u32 ranks_of_row = 1;
  Cells computing{}, sending{}, waiting{};

  static void fields(auto& self, auto&& f) {
    f("chain_steps", self.chain_steps, "", "of the chain that decided when the program ended");
    f("computing_seconds", self.computing_seconds, "seconds", "of the chain, in computing");
    f("message_seconds", self.message_seconds, "seconds", "of the chain, in messages that are under way");
    f("other_seconds", self.other_seconds, "seconds", "of the chain, in sends and receives themselves");
    f("held_seconds", self.held_seconds, "seconds",
      "at level fluid: of the chain's messages, lost because others shared their links");
    f("chain", self.chain, "", "its longest steps, in the order of time");
    f("links", self.links, "", "that held the chain up, the worst first");
    f("ranks_of_row", self.ranks_of_row, "", "in each row of the timeline");
    f("computing", self.computing, "", "timeline: percent of the time, by row and column");
    f("sending", self.sending, "", "likewise, sending and not computing");
    f("waiting", self.waiting, "", "likewise, neither, before its ranks have ended");
  }
};

// Of a run at level loggops or fluid, as its log has it.
ProgramPicture program_picture(const Situation& at, const Timing& timing, bool is_fluid,
                               const Program& program, const Placement& placement, const ProgramLog& log);

}  // namespace banyan::ask
