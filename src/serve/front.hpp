// The server's front: one thread accepts connections and reads the heads of all requests at once; a request
// whose head is complete gets a thread. What a client may take before it has shown the token is bounded here:
// bytes, headers, time and connections. Of those whose head is awaited, the oldest gives way to the newest.
// When all threads are busy, clients that have been answered for a second without having shown the token give
// way to those who wait.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "base/types.hpp"
#include "serve/client.hpp"

namespace banyan::serve {

struct FrontLimits {
  std::size_t heads = 512;                              // connections whose head is being read
  std::size_t threads = 64;                             // requests that are being answered
  std::size_t head_bytes = 16 << 10, head_lines = 100;  // of one request
  double head_seconds = 10, request_seconds = 60, answer_seconds = 120;
  double token_seconds = 1;  // after which one who has not shown the token gives way to those who wait
};

class Front {
 public:
  // Binds and listens; port 0: any that is free. Throws InputError. `serve` answers one request; it must not
  // throw.
  Front(const std::string& address, u32 port, const FrontLimits& limits, std::function<void(Client&)> serve);
  ~Front();

  int port() const;
  // Until goes_on says no, which is asked many times a second; then all clients are given up.
  void run(const std::function<bool()>& goes_on);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace banyan::serve
