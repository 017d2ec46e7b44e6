#include "serve/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

namespace banyan::serve {
namespace {

constexpr int poll_milliseconds = 20;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe cannot be made");
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { shut(ends_[0]); }
  void close_write() { shut(ends_[1]); }

 private:
  static void shut(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Between fork and exec, where only calls that are safe in a signal handler are allowed.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* folder,
                         const CommandLimits& limits, int output, int messages, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the server's end is the command's
  if (getppid() != parent) _exit(127);
  const rlimit memory{limits.memory_bytes, limits.memory_bytes}, core{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &core);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (chdir(folder) == 0 && nothing >= 0 && dup2(nothing, 0) == 0 && dup2(output, 1) == 1 &&
      dup2(messages, 2) == 2)
    execve(arguments[0], arguments, environment);
  _exit(127);
}

class Process {
 public:
  Process(const Command& command, const CommandLimits& limits) {
    const std::vector<char*> arguments = pointers(command.arguments),
                             environment = pointers(command.environment);
    const pid_t self = getpid();
    pid_ = fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "a process cannot be started");
    if (pid_ == 0)
      become(arguments.data(), environment.data(), command.folder.c_str(), limits, output.write_end(),
             messages.write_end(), self);
    output.close_write(), messages.close_write();
  }
  ~Process() {
    if (pid_ > 0) kill(pid_, SIGKILL), wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void end() { kill(pid_, SIGKILL); }
  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  Pipe output, messages;

 private:
  pid_t pid_ = -1;
};

}  // namespace

CommandResult run_command(const Command& command, const CommandLimits& limits,
                          const std::function<bool()>& is_wanted,
                          const std::function<bool(std::string_view)>& take) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.seconds);
  Process process(command, limits);
  CommandResult out;
  u64 taken = 0;
  // Gives false when the process must be ended.
  const auto add = [&](std::string& text, std::string_view piece) {
    taken += piece.size();
    if (taken > limits.output_bytes) return out.ending = Ending::too_much_output, false;
    if (&text == &out.output && take) {
      if (!take(piece)) return out.ending = Ending::cancelled, false;
    } else {
      text += piece;
    }
    return true;
  };
  std::array<pollfd, 2> ends{
      {{process.output.read_end(), POLLIN, 0}, {process.messages.read_end(), POLLIN, 0}}};
  std::array<std::string*, 2> texts{&out.output, &out.messages};
  std::array<char, 65536> buffer;
  bool goes_on = true;
  while (goes_on && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
    poll(ends.data(), ends.size(), poll_milliseconds);
    for (std::size_t i = 0; i < ends.size() && goes_on; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t got = read(ends[i].fd, buffer.data(), buffer.size());
      if (got > 0)
        goes_on = add(*texts[i], {buffer.data(), static_cast<std::size_t>(got)});
      else if (got == 0 || errno != EINTR)
        ends[i].fd = -1;
    }
    if (goes_on && !is_wanted()) out.ending = Ending::cancelled, goes_on = false;
    if (goes_on && Clock::now() > deadline) out.ending = Ending::out_of_time, goes_on = false;
  }
  if (!goes_on) process.end();
  out.status = process.wait();
  return out;
}

}  // namespace banyan::serve
