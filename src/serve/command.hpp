// A command in a process of its own: what it may use is limited, and it can be ended at any time.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::serve {

struct CommandLimits {
  double seconds = 60;
  u64 memory_bytes = u64{8} << 30;
  u64 output_bytes = u64{64} << 20;
};

enum class Ending { finished, out_of_time, too_much_output, cancelled, failed };  // the last: never began

struct CommandResult {
  Ending ending = Ending::finished;
  int status = 0;                // as a shell would say: 128 + the signal that ended it
  std::string output, messages;  // standard output and standard error
};

struct Command {
  std::vector<std::string> arguments;  // the first is the program's path
  std::vector<std::string> environment;
  std::string folder;  // where it runs
};

// Runs it and waits for its end. `is_wanted` is asked many times a second; when it
// says no the process is ended. Where `take` is given it gets the output piece by piece instead of the
// result; a piece that it refuses ends the process too.
CommandResult run_command(const Command& command, const CommandLimits& limits,
                          const std::function<bool()>& is_wanted,
                          const std::function<bool(std::string_view)>& take = {});

}  // namespace banyan::serve
