// Whether a program ends, or its operations wait for each other.
#pragma once
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "traffic/programs/program.hpp"

namespace banyan::ask {

struct ProgramCheckOptions {
  FilePath program{};

  static void fields(auto& self, auto&& f) {
    f("program", self.program,
      "instead of a fabric: decide whether a program ends, or its operations wait for each other");
  }
};

struct ProgramCheckAnswer {
  struct Operation {
    u32 rank = 0, line = 0;
    std::string operation{};

    static void fields(auto& self, auto&& f) {
      f("rank", self.rank, "", "that does it");
      f("line", self.line, "", "of the file; 0: there is none");
      f("operation", self.operation, "", "what it does");
    }
  };
  bool deadlock_free = true, deadlock_free_unbuffered = true;
  u32 ranks = 0;
  u64 operations = 0, messages = 0;
  double bytes = 0;
  std::vector<Operation> cycle{};
  u64 unequal_sizes = 0;
  std::string first_unequal{};  // one of those, for people

  static void fields(auto& self, auto&& f) {
    f("deadlock_free", self.deadlock_free, "", "the program ends if a send ends by itself");
    f("deadlock_free_unbuffered", self.deadlock_free_unbuffered, "",
      "it also ends if every send waits until its receive has begun, as long messages of MPI do");
    f("ranks", self.ranks, "", "of the program");
    f("operations", self.operations, "", "of all ranks: what they compute, send and receive");
    f("messages", self.messages, "messages", "of all ranks");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("unequal_sizes", self.unequal_sizes, "messages",
      "whose receive names another size than their send, which counts");
    f("cycle", self.cycle, "",
      "operations that wait for each other, each for the next and the last for the first");
  }
};
ProgramCheckAnswer check_program(const Program& program);

}  // namespace banyan::ask
