#include "serve/server.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "serve/admission.hpp"
#include "serve/answers.hpp"
#include "serve/budget.hpp"
#include "serve/front.hpp"
#include "serve/gate.hpp"
#include "serve/openapi.hpp"
#include "serve/page.hpp"
#include "serve/request.hpp"
#include "serve/uploads.hpp"
#include "serve/wanted.hpp"

namespace banyan::serve {
namespace {

using httplib::Request;
using httplib::Response;
using nlohmann::json;

constexpr std::size_t max_request_bytes = 64 << 10;  // of one that is no file
constexpr std::size_t spare_threads = 32;            // besides those of requests that run or wait
constexpr double answer_seconds = 60;                // to read an answer, when it is there

// Commands run elsewhere, and are told several folders in one text.
std::string real_folder(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(folder, error);
  if (error || !std::filesystem::is_directory(real, error))
    throw InputError(fmt::format("--folder {}: there is no such folder", folder));
  if (real.string().find(':') != std::string::npos)
    throw InputError(fmt::format("--folder {}: expected a name without ':'", folder));
  return real.string();
}

void fail(Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(json{{"error", message}}.dump(), "application/json");
}
void refuse_for_now(Response& response, const std::string& why) {
  response.set_header("Retry-After", "1");
  fail(response, 503, why);
}
void refuse_for_memory(Response& response) {
  refuse_for_now(response, "too much is being sent or waits to be read already");
}

// A client as the HTTP library sees it.
class ClientStream : public httplib::Stream {
 public:
  explicit ClientStream(Client& client) : client_(client) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return client_.is_writable(); }
  ssize_t read(char* data, std::size_t size) override { return client_.read(data, size); }
  ssize_t write(const char* data, std::size_t size) override { return client_.write(data, size); }
  void get_remote_ip_and_port(std::string& address, int& port) const override {
    address = client_.address(), port = client_.port();
  }
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return 0; }

 private:
  Client& client_;
};

// The library without its sockets: it parses what a client sends and calls the handlers, in the thread that
// asks it to.
class Http : public httplib::Server {
 public:
  Http() { svr_sock_ = 0; }  // otherwise it takes itself for stopped
  void serve(Client& client) {
    ClientStream stream(client);
    bool is_closed = false;
    client_ = &client;
    try {
      process_request(stream, true, is_closed,
                      nullptr);        // one request a connection: what is left is no other
    } catch (const std::exception&) {  // no memory, say: this client goes without an answer
    }
  }
  static Client& client() { return *client_; }  // the one whom this thread answers

 private:
  static inline thread_local Client* client_ = nullptr;
};

// What a client sent, or what it will get, and its share of the memory.
struct Held {
  Budget::Share share;
  std::string text{};
};

FrontLimits front_limits(const ServeOptions& options) {
  FrontLimits out;
  out.threads = options.running + options.waiting + spare_threads;
  out.answer_seconds = options.limits.seconds + answer_seconds;
  return out;
}

}  // namespace

struct Server::Impl {
  explicit Impl(const ServeOptions& o)
      : options(o),
        gate(o.running, o.waiting),
        memory(o.kept_bytes),
        answers(o.kept_bytes / 2),
        uploads(o.kept_bytes / 2),
        program(std::filesystem::read_symlink("/proc/self/exe").string()) {}

  // A place at the gate and a name that can be cancelled, for as long as a request is being answered.
  struct Visit {
    Visit(Impl& the_body, const Request& request)
        : body(the_body),
          name(request.get_header_value("X-Request-Name").substr(0, 64)),
          wanted(body.wanted.add(name)),
          who(who_is(request)) {}
    ~Visit() {
      if (entry == Gate::Entry::in) body.gate.leave(who);
      body.wanted.remove(name, wanted);
    }
    bool is_wanted() const { return *wanted && !body.is_ending && !client.is_gone(); }
    Gate::Entry enter() {
      return entry = body.gate.enter(who, [this] { return is_wanted(); });
    }

    Impl& body;
    std::string name;
    Wanted::Flag wanted;
    Client& client = Http::client();
    std::string who;
    Gate::Entry entry = Gate::Entry::full;
  };

  // Whose turn it is at the gate: windows of one page, users of this machine, other machines.
  static std::string who_is(const Request& request) {
    const auto user = Http::client().user();
    return fmt::format("{} {} {}", request.remote_addr, user ? std::to_string(*user) : "",
                       request.get_header_value("X-Client").substr(0, 64));
  }

  void declare();
  bool admits(const Request& request, Response& response) const;
  // What a client sends, unless it is more than `maximum` or there is no room: then the answer is given.
  std::optional<Held> body_of(const Request& request, Response& response, const httplib::ContentReader& read,
                              u64 maximum);
  // Makes the share so large, if need be instead of answers that are kept.
  bool has_room(Budget::Share& share, u64 bytes);
  void answer(const Request& request, Response& response, const std::string& body);
  void stream(const std::shared_ptr<Visit>& visit, const std::vector<std::string>& arguments,
              Response& response);
  void take_file(const Request& request, Response& response, const std::string& body);
  void cancel(const Request& request, Response& response);
  Command command_line(const std::vector<std::string>& arguments) const;
  // The command as its asker would type it: with the names of files that were uploaded as they were there.
  std::string typed(std::vector<std::string> arguments);
  static void give(Response& response, std::shared_ptr<const std::string> answer);
  void tell(Response& response, const std::vector<std::string>& arguments, const CommandResult& result);

  ServeOptions options;
  Gate gate;
  Budget memory;
  Answers answers;
  Uploads uploads;
  Wanted wanted;
  std::string program;
  Http http;
  std::atomic<bool> is_ending = false;
  std::optional<Front> front;
};

Command Server::Impl::command_line(const std::vector<std::string>& arguments) const {
  Command out{{program}, {"LC_ALL=C.UTF-8"}, uploads.folder().string()};
  out.arguments.insert(out.arguments.end(), arguments.begin(), arguments.end());
  std::string folders = uploads.folder().string();
  for (const std::string& folder : options.folders) folders += ':' + folder;
  out.environment.push_back("BANYAN_READ_UNDER=" + folders);
  if (const auto user = Http::client().user(); user != geteuid())
    out.environment.push_back("BANYAN_READ_AS=" + (user ? std::to_string(*user) : "nobody"));
  return out;
}

std::string Server::Impl::typed(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) argument = uploads.as_given(std::move(argument));
  return shell_text(arguments);
}

bool Server::Impl::admits(const Request& request, Response& response) const {
  const auto header = [&](const char* name) { return request.get_header_value(name); };
  const auto count = [&](const char* name) { return request.get_header_value_count(name); };
  const bool is_api = request.path.starts_with("/api");
  const auto refused =
      refusal({header("Host"), header("Origin"), header("Sec-Fetch-Site"), header("Authorization"), is_api,
               count("Host") != 1 || count("Origin") > 1 || count("Authorization") > 1},
              {options.token, options.any_host});
  if (refused) fail(response, refused->status, refused->why);
  if (!refused && is_api) Http::client().know();
  return !refused;
}

// One copy for all who ask.
void Server::Impl::give(Response& response, std::shared_ptr<const std::string> answer) {
  const std::size_t size = answer->size();
  response.set_content_provider(
      size, "application/json",
      [answer = std::move(answer)](std::size_t at, std::size_t length, httplib::DataSink& sink) {
        return sink.write(answer->data() + at, length);
      });
}

void Server::Impl::tell(Response& response, const std::vector<std::string>& arguments,
                        const CommandResult& result) {
  const std::string command = typed(arguments);
  if (result.ending == Ending::out_of_time)
    return fail(response, 504, fmt::format("not done within {:g} s: {}", options.limits.seconds, command));
  if (result.ending == Ending::cancelled) return fail(response, 409, "cancelled: " + command);
  if (result.ending == Ending::too_much_output) return fail(response, 507, "too much to send: " + command);
  json head{{"command", command}, {"status", result.status}, {"messages", result.messages}};
  std::string text = head.dump(-1, ' ', false, json::error_handler_t::replace);
  if (result.status > 1) {
    response.status = result.status <= 3 ? 422 : 500;
    response.set_content(text, "application/json");
    return;
  }
  text.pop_back();
  const auto held = std::make_shared<Held>(Budget::Share(memory));
  if (!has_room(held->share, text.size() + result.output.size() + 64)) return refuse_for_memory(response);
  held->text.reserve(text.size() + result.output.size() + 64);
  held->text.append(text)
      .append(",\"result\":")
      .append(result.output.empty() ? "null" : result.output)
      .append("}");
  const std::shared_ptr<const std::string> answer(held, &held->text);
  if (options.folders.empty()) answers.keep(shell_text(arguments), answer);  // whose files may change
  give(response, answer);
}

bool Server::Impl::has_room(Budget::Share& share, u64 bytes) {
  while (!share.grow_to(bytes))
    if (!answers.forget_oldest()) return false;
  return true;
}

// Counted as it comes, whatever it says of its length and however it is packed; what it says is set aside.
std::optional<Held> Server::Impl::body_of(const Request& request, Response& response,
                                          const httplib::ContentReader& read, u64 maximum) {
  if (request.is_multipart_form_data())
    return fail(response, 415, "expected the content itself, not a form"), std::nullopt;
  Held out{Budget::Share(memory)};
  const u64 said = std::min<u64>(maximum, request.get_header_value<u64>("Content-Length"));
  if (!has_room(out.share, said)) return refuse_for_memory(response), std::nullopt;
  out.text.reserve(said);
  bool has_memory = true;
  const bool is_whole = read([&](const char* data, std::size_t size) {
    if (out.text.size() + size > maximum) return false;
    const u64 needed = out.text.size() + size;
    has_memory = needed <= out.text.capacity() || has_room(out.share, 2 * needed);  // a text doubles
    if (has_memory) out.text.append(data, size);
    return has_memory;
  });
  if (is_whole) return out;
  if (!has_memory) return refuse_for_memory(response), std::nullopt;
  return fail(response, 413, fmt::format("expected at most {} bytes", maximum)), std::nullopt;
}

void Server::Impl::answer(const Request& request, Response& response, const std::string& body) {
  const bool streams = request.has_param("stream");
  std::vector<std::string> arguments;
  try {
    arguments = command_of(request.matches[1].str(), body);
    if (!streams && std::find(arguments.begin(), arguments.end(), "--follow") != arguments.end())
      throw InputError("'follow' gives line after line: expected ?stream");
  } catch (const InputError& error) {
    return fail(response, 400, error.what());
  }
  if (const auto known = streams ? nullptr : answers.find(shell_text(arguments)))
    return give(response, known);
  const auto visit = std::make_shared<Visit>(*this, request);
  switch (visit->enter()) {
    case Gate::Entry::full:
      return refuse_for_now(response, "too many requests wait already");
    case Gate::Entry::unwanted:
      return fail(response, 409, "cancelled");
    case Gate::Entry::in:
      break;
  }
  if (streams) return stream(visit, arguments, response);
  tell(response, arguments,
       run_command(command_line(arguments), options.limits, [&] { return visit->is_wanted(); }));
}

// What the command prints, as it comes; who goes away ends it. The last line says how it ended.
void Server::Impl::stream(const std::shared_ptr<Visit>& visit, const std::vector<std::string>& arguments,
                          Response& response) {
  response.set_chunked_content_provider("application/x-ndjson", [this, visit, arguments](
                                                                    std::size_t, httplib::DataSink& sink) {
    CommandResult result{Ending::failed, 128, "", ""};
    try {
      result = run_command(
          command_line(arguments), options.limits, [&] { return visit->is_wanted() && sink.is_writable(); },
          [&](std::string_view piece) { return sink.write(piece.data(), piece.size()); });
    } catch (const std::exception& error) {  // the library catches nothing here
      result.messages = error.what();
    }
    constexpr std::array endings = {"finished", "out of time", "too much output", "cancelled", "failed"};
    const json last{{"ending", endings[static_cast<std::size_t>(result.ending)]},
                    {"status", result.status},
                    {"messages", result.messages},
                    {"command", typed(arguments)}};
    const std::string line = last.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    sink.write(line.data(), line.size());
    sink.done();
    return true;
  });
}

void Server::Impl::take_file(const Request& request, Response& response, const std::string& body) {
  try {
    const std::string name = uploads.put(request.get_param_value("name"), body);
    response.set_content(json{{"file", name}}.dump(), "application/json");
  } catch (const InputError& error) {
    fail(response, 413, error.what());
  }
}

void Server::Impl::cancel(const Request& request, Response& response) {
  if (!wanted.cancel(request.matches[1].str()))
    return fail(response, 404, "no request of that name is running");
  response.set_content("{}", "application/json");
}

void Server::Impl::declare() {
  http.set_payload_max_length(options.upload_bytes);
  http.set_default_headers(
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cache-Control", "no-store"}});
  http.set_pre_routing_handler([this](const Request& request, Response& response) {
    using Result = httplib::Server::HandlerResponse;
    return admits(request, response) ? Result::Unhandled : Result::Handled;
  });
  http.set_error_handler([](const Request&, Response& response) {
    if (!response.body.empty()) return;
    fail(response, response.status,
         response.status == 404   ? "nothing is served under this name"
         : response.status == 413 ? "the request is too large"
                                  : "the request cannot be understood");
  });
  http.set_exception_handler([](const Request&, Response& response, const std::exception_ptr&) {
    fail(response, 500, "the server failed");
  });
  for (const PageFile& file : page_files())
    http.Get(std::string(file.path), [&file](const Request&, Response& response) {  // no copy for each reader
      response.set_content_provider(file.content.size(), file.type,
                                    [&file](std::size_t at, std::size_t length, httplib::DataSink& sink) {
                                      return sink.write(file.content.data() + at, length);
                                    });
    });
  http.Get("/api/openapi.json", [](const Request&, Response& response) {
    const std::string_view text = openapi_text();
    response.set_content(text.data(), text.size(), "application/json");
  });
  http.Get("/api/verbs", [](const Request&, Response& response) {
    response.set_content(served_json(), "application/json");
  });
  http.Post("/api/files", [this](const Request& q, Response& r, const httplib::ContentReader& read) {
    if (const auto body = body_of(q, r, read, options.upload_bytes)) take_file(q, r, body->text);
  });
  http.Post("/api/([a-z-]+)", [this](const Request& q, Response& r, const httplib::ContentReader& read) {
    if (const auto body = body_of(q, r, read, max_request_bytes)) answer(q, r, body->text);
  });
  http.Delete("/api/requests/([A-Za-z0-9_-]{1,64})", [this](const Request& q, Response& r) { cancel(q, r); });
}

Server::Server(const ServeOptions& options) : impl_(std::make_unique<Impl>(options)) {
  // Large texts go back to the system when they are freed, in whatever thread. By default the threshold rises
  // to the largest that was freed, and then every thread keeps its own.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  for (std::string& folder : impl_->options.folders) folder = real_folder(folder);
  if (options.token.empty()) throw InputError("a server without a token: expected one");
  impl_->declare();
  impl_->front.emplace(options.address, options.port, front_limits(options),
                       [body = impl_.get()](Client& client) { body->http.serve(client); });
}

Server::~Server() = default;

std::string Server::url() const {
  const std::string& address = impl_->options.address;
  return fmt::format("http://{}:{}/", address.find(':') != std::string::npos ? '[' + address + ']' : address,
                     impl_->front->port());
}

void Server::run(const std::function<bool()>& goes_on) {
  impl_->front->run([&] {
    const bool stays = goes_on();
    impl_->is_ending = !stays;
    return stays;
  });
}

}  // namespace banyan::serve
