// A connection between two processes: whole messages over a socket. It breaks when either of them ends, in
// whatever way, and the other is told: MPI would not tell it.
#pragma once
#include <optional>
#include <string>

#include "base/types.hpp"

namespace banyan::study {

class Connection {
 public:
  explicit Connection(int socket = -1);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

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
class Listener {
 public:
  Listener();  // throws InputError
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& address() const { return address_; }
  Connection answer();  // waits for the next call; a connection that is not there: it is closed
  bool lets_in(const Connection& connection) const;  // reads the word; to be asked once, before all else
  void close() const;                                // from any thread

 private:
  int socket_;
  std::string address_, word_;
};

Connection call(const std::string& address);  // a connection that is not there: nobody answers

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

}  // namespace banyan::study
