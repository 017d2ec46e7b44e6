// One client: a connection that sent the head of a request. Whoever waits on it gives up when the client is
// too slow, when it gives way to another, and when the server ends.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "base/temporary.hpp"
#include "base/types.hpp"

namespace banyan::serve {

using Steady = std::chrono::steady_clock;

class Client {
 public:
  // `head` is what was read of it. All of the request must come before `deadline`; an answer may take
  // `answer` from its first byte.
  Client(base::Descriptor socket, std::string head, Steady::time_point deadline, Steady::duration answer,
         const std::atomic<bool>& is_ending);

  ssize_t read(char* data, std::size_t size);  // waits; 0: the client sends no more, -1: it was given up
  ssize_t write(const char* data, std::size_t size);
  bool is_writable() const { return !is_given_up(); }
  bool is_gone() const;  // the other end has closed

  void cut();  // from any thread: gives it up
  void know() { is_known_ = true; }
  bool is_known() const { return is_known_; }  // it has shown the token

  const std::string& address() const { return address_; }
  int port() const { return port_; }
  // Who is at the other end, where that is on this machine and the system tells.
  std::optional<uid_t> user() const;

 private:
  bool is_given_up() const { return is_ending_ || is_cut_ || Steady::now() > deadline_; }
  bool waits_for(short events) const;

  base::Descriptor socket_;
  std::string head_;
  std::size_t given_ = 0;  // of the head
  Steady::time_point deadline_;
  Steady::duration answer_;
  const std::atomic<bool>& is_ending_;
  std::atomic<bool> is_cut_ = false, is_known_ = false;
  bool has_answered_ = false;
  std::string address_;
  int port_ = 0;
};

}  // namespace banyan::serve
