// A line between two processes: whole messages over a socket. It breaks when either of them ends, in whatever
// way, and the other is told: MPI would not tell it.
#pragma once
#include <optional>
#include <string>

#include "base/types.hpp"

namespace banyan {

class Line {
 public:
  explicit Line(int socket = -1);
  Line(Line&& other) noexcept;
  Line& operator=(Line&&) = delete;
  ~Line();

  bool send(const std::string& message) const;  // false: it is broken
  std::optional<std::string> receive() const;   // waits; nothing: it is broken
  bool send_raw(const std::string& bytes) const;
  bool receive_raw(std::string& bytes) const;  // just so many
  void cut() const;                            // from any thread: both ends see it broken
  explicit operator bool() const { return socket_ >= 0; }

 private:
  int socket_;
};

// Where others call. Its address says from which machine it can be reached how, and has a word in it that
// nobody else can guess: who calls without it is not let in.
class Switchboard {
 public:
  Switchboard();  // throws InputError
  ~Switchboard();
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;

  const std::string& address() const { return address_; }
  Line answer();                         // waits for the next call; a line that is not there: it is closed
  bool lets_in(const Line& line) const;  // reads the word; to be asked once, before all else
  void close() const;                    // from any thread

 private:
  int socket_;
  std::string address_, word_;
};

Line call(const std::string& address);  // a line that is not there: nobody answers

// Numbers and texts as one message, and back.
class Packer {
 public:
  Packer& operator<<(u64 value);
  Packer& operator<<(double value);
  Packer& operator<<(const std::string& text);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Unpacker {  // of what a Packer made, in the same order; throws InputError where it ends too early
 public:
  explicit Unpacker(std::string message) : rest_(std::move(message)) {}
  u64 number();
  double real();
  std::string text();

 private:
  const char* next(u64 bytes);
  std::string rest_;
  std::size_t at_ = 0;
};

}  // namespace banyan
