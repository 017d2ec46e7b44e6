// banyan serve: the explorer.
#include <fmt/format.h>

#include <cctype>
#include <iostream>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/tidy_stop.hpp"
#include "cli/verb.hpp"
#include "serve/server.hpp"

namespace banyan::cli {
namespace {

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

class Serve {
 public:
  void declare(Arguments& arguments) {
    arguments.value("--port", options_.port, "N", "the port; 0: any that is free (default 8137)");
    arguments.value("--listen", options_.address, "ADDRESS",
                    "the address; any but a loopback address also needs --token (default 127.0.0.1)");
    arguments.value("--token", options_.token, "T", "what clients must show to be served");
    arguments.values(
        "--folder", options_.folders, "DIR",
        "fabrics may be read from files in there; may be repeated (default: uploaded ones only)");
    arguments.value("--running", options_.running, "N", "commands that run at a time (default 2)");
    arguments.value("--waiting", options_.waiting, "N",
                    "requests that may wait; more are refused (default 256)");
    arguments.value("--upload", upload_, "MIB", "the largest file that is taken (default 32)");
    arguments.value("--kept", kept_, "MIB", "of files and answers that are kept, together (default 256)");
    arguments.value("--seconds", seconds_, "N", "what a command may take (default 60)");
    arguments.value("--memory", gigabytes_, "GIB", "what a command may use (default 8)");
  }

  Exit run() const {
    if (options_.running == 0 || seconds_ == 0 || gigabytes_ == 0 || upload_ == 0 || kept_ == 0)
      throw InputError("--running, --seconds, --memory, --upload and --kept: expected at least 1");
    if (kept_ < 2 * upload_) throw InputError("--kept: expected at least twice --upload");
    if (options_.port > 65535) throw InputError("--port: expected at most 65535");
    ServeOptions options = options_;
    options.upload_bytes = u64{upload_} << 20;
    options.kept_bytes = u64{kept_} << 20;
    options.limits.seconds = seconds_;
    options.limits.memory_bytes = u64{gigabytes_} << 30;
    Server server(options);
    std::cout << "The explorer is at " << server.url()
              << (options.token.empty() ? "" : "#token=" + percent_encoded(options.token))
              << "; Ctrl-C ends it." << std::endl;
    stop_tidily();
    server.run([] { return !interrupted(); });
    return Exit::done;
  }

 private:
  ServeOptions options_;
  u32 seconds_ = 60, gigabytes_ = 8, upload_ = 32, kept_ = 256;
};

}  // namespace

Verb serve_verb() {
  return make_verb<Serve>("serve",
                          "The explorer: a page on this machine that shows fabrics, loads and faults",
                          "banyan serve --port 8137");
}

}  // namespace banyan::cli
