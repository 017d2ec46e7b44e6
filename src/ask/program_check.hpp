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
  bool deadlock_free = true, deadlock_free_unbuffered = true;
  u32 ranks = 0;
  u64 operations = 0, messages = 0;
  double bytes = 0;
  std::vector<std::string> cycle{};

  static void fields(auto& self, auto&& f) {
    f("deadlock_free", self.deadlock_free, "", "the program ends if a send ends by itself");
    f("deadlock_free_unbuffered", self.deadlock_free_unbuffered, "",
      "it also ends if every send waits until its receive has begun, as long messages of MPI do");
    f("ranks", self.ranks, "", "of the program");
    f("operations", self.operations, "", "of all ranks: what they compute, send and receive");
    f("messages", self.messages, "messages", "of all ranks");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("cycle", self.cycle, "",
      "operations that wait for each other, each for the next and the last for the first, with rank and "
      "line");
  }
};
ProgramCheckAnswer check_program(const Program& program);

}  // namespace banyan::ask
