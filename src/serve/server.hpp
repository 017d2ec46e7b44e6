// The explorer's HTTP side: a page, and the program's verbs over JSON (docs/serve.md, docs/openapi.json).
// Every request is answered by a process of its own that runs the verb, so what the page shows is what the
// command prints; it has limits of time and memory and may be ended at any time. What clients send is as
// little trusted as a file.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/command.hpp"

namespace banyan::serve {

struct ServeOptions {
  std::string address = "127.0.0.1";
  u32 port = 8137;                   // 0: any that is free
  std::string token;                 // what clients must show
  bool any_host = false;             // a proxy may have a name of its own
  std::vector<std::string> folders;  // whose files commands may read, besides those that were uploaded
  u32 running = 2, waiting = 256;    // commands at a time, and how many may wait
  // Of one file; of files that are kept; of what is held in memory for clients (serve/budget.hpp).
  u64 upload_bytes = u64{32} << 20, kept_bytes = u64{256} << 20;
  CommandLimits limits;
};

class Server {
 public:
  // Binds, so that an address that is taken is told at once. Throws InputError.
  explicit Server(const ServeOptions& options);
  ~Server();

  std::string url() const;
  void run(const std::function<bool()>& goes_on);  // until goes_on says no; asked many times a second

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace banyan::serve
