// banyan serve: the explorer.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/temporary.hpp"
#include "base/tidy_stop.hpp"
#include "cli/verb.hpp"
#include "serve/admission.hpp"
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
                    "the address; for any but a loopback address give a token (default 127.0.0.1)");
    arguments.value("--token", token_, "T",
                    "what clients must show; others see it in ps (default: BANYAN_TOKEN, or a random one)");
    arguments.value("--token-file", token_file_, "FILE", "the same, read from a file that only you may read");
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
    const Token token = chosen_token();
    if (token.is_random && !is_loopback(options.address))
      throw InputError(fmt::format("others than this machine can reach {}: expected a --token-file for them",
                                   options.address));
    options.token = token.text;
    options.any_host = !token.is_random;
    Server server(options);
    std::cout << "The explorer is at " << server.url()
              << (token.is_secret ? "#token=..." : "#token=" + percent_encoded(token.text))
              << "\nCtrl-C ends it." << std::endl;
    stop_tidily();
    server.run([] { return !interrupted(); });
    return Exit::done;
  }

 private:
  struct Token {
    std::string text;
    bool is_random = false;
    bool is_secret = false;  // it came from where nobody else sees it, and is not printed
  };

  Token chosen_token() const {
    const char* const set = std::getenv("BANYAN_TOKEN");
    if (!token_.empty() && !token_file_.empty()) throw InputError("--token and --token-file: expected one");
    Token out = !token_.empty()        ? Token{token_}
                : !token_file_.empty() ? Token{token_in_file(), false, true}
                : set                  ? Token{set, false, true}
                                       : Token{random_word(), true};
    const auto is_plain = [](char c) { return c > ' ' && c < 127; };
    if (out.text.empty() || !std::all_of(out.text.begin(), out.text.end(), is_plain))
      throw InputError("the token: expected printable ASCII without spaces, at least one character");
    return out;
  }

  std::string token_in_file() const {
    struct stat found {};
    if (stat(token_file_.c_str(), &found) == 0 && (found.st_mode & 077) != 0)
      throw InputError(Place{token_file_}, "others may read it; expected: chmod 600 " + token_file_);
    std::string out = read_file(token_file_);
    out.erase(out.find_last_not_of(" \t\r\n") + 1);
    return out;
  }

  ServeOptions options_;
  std::string token_, token_file_;
  u32 seconds_ = 60, gigabytes_ = 8, upload_ = 32, kept_ = 256;
};

}  // namespace

Verb serve_verb() {
  return make_verb<Serve>("serve",
                          "The explorer: a page on this machine that shows fabrics, loads and faults",
                          "banyan serve --port 8137");
}

}  // namespace banyan::cli
