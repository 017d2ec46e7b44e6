#include "serve/server.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "serve/admission.hpp"
#include "serve/answers.hpp"
#include "serve/gate.hpp"
#include "serve/openapi.hpp"
#include "serve/page.hpp"
#include "serve/peer.hpp"
#include "serve/request.hpp"
#include "serve/uploads.hpp"
#include "serve/wanted.hpp"

namespace banyan::serve {
namespace {

using httplib::Request;
using httplib::Response;
using nlohmann::json;

constexpr std::size_t max_request_bytes = 64 << 10;  // of one that is no file
constexpr int max_unaccepted = 1024;
constexpr std::size_t spare_connections = 32;  // besides those of requests that run or wait

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

}  // namespace

struct Server::Impl {
  explicit Impl(const ServeOptions& o)
      : options(o),
        gate(o.running, o.waiting),
        answers(o.kept_bytes / 2),
        uploads(o.kept_bytes / 2),
        program(std::filesystem::read_symlink("/proc/self/exe").string()) {}

  // A place at the gate and a name that can be cancelled, for as long as a request is being answered.
  struct Visit {
    Visit(Impl& the_body, const Request& request)
        : body(the_body),
          name(request.get_header_value("X-Request-Name").substr(0, 64)),
          wanted(body.wanted.add(name)),
          peer(request.remote_addr, request.remote_port) {}
    ~Visit() {
      if (entry == Gate::Entry::in) body.gate.leave();
      body.wanted.remove(name, wanted);
    }
    bool is_wanted() const { return *wanted && !body.is_ending && !peer.is_gone(); }
    Gate::Entry enter() {
      return entry = body.gate.enter([this] { return is_wanted(); });
    }

    Impl& body;
    std::string name;
    Wanted::Flag wanted;
    Peer peer;
    Gate::Entry entry = Gate::Entry::full;
  };

  void declare();
  bool admits(const Request& request, Response& response) const;
  // What a client sends, unless it is more than `most`: then the answer is given.
  std::optional<std::string> body_of(const Request& request, Response& response,
                                     const httplib::ContentReader& read, u64 maximum) const;
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
  Answers answers;
  Uploads uploads;
  Wanted wanted;
  std::string program;
  httplib::Server http;
  int port = 0;
  socket_t listening = -1;
  std::atomic<bool> is_ending = false;
};

Command Server::Impl::command_line(const std::vector<std::string>& arguments) const {
  Command out{{program}, {"LC_ALL=C.UTF-8"}, uploads.folder().string()};
  out.arguments.insert(out.arguments.end(), arguments.begin(), arguments.end());
  std::string folders = uploads.folder().string();
  for (const std::string& folder : options.folders) folders += ':' + folder;
  out.environment.push_back("BANYAN_READ_UNDER=" + folders);
  return out;
}

std::string Server::Impl::typed(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) argument = uploads.as_given(std::move(argument));
  return shell_text(arguments);
}

bool Server::Impl::admits(const Request& request, Response& response) const {
  const auto header = [&](const char* name) { return request.get_header_value(name); };
  const auto refused = refusal({header("Host"), header("Origin"), header("Sec-Fetch-Site"),
                                header("Authorization"), request.path.starts_with("/api")},
                               options.token);
  if (refused) fail(response, refused->status, refused->why);
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
  text += ",\"result\":" + (result.output.empty() ? "null" : result.output) + "}";
  const auto answer = std::make_shared<const std::string>(std::move(text));
  if (options.folders.empty()) answers.keep(shell_text(arguments), answer);  // whose files may change
  give(response, answer);
}

// Counted as it comes, whatever it says of its length and however it is packed.
std::optional<std::string> Server::Impl::body_of(const Request& request, Response& response,
                                                 const httplib::ContentReader& read, u64 maximum) const {
  if (request.is_multipart_form_data())
    return fail(response, 415, "expected the content itself, not a form"), std::nullopt;
  std::string out;
  const bool is_whole = read([&](const char* data, std::size_t size) {
    if (out.size() + size > maximum) return false;
    out.append(data, size);
    return true;
  });
  if (is_whole) return out;
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
      response.set_header("Retry-After", "1");
      return fail(response, 503, "too many requests wait already");
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
  const std::size_t connections = options.running + options.waiting + spare_connections;
  http.new_task_queue = [connections] { return new httplib::ThreadPool(connections); };
  http.set_payload_max_length(options.upload_bytes);
  http.set_read_timeout(10), http.set_write_timeout(30);
  http.set_keep_alive_max_count(1);  // what is left of a request that was refused is never read as another
  http.set_tcp_nodelay(true);
  http.set_socket_options([this](socket_t opened) {  // no SO_REUSEPORT: a port that is taken is refused
    const int yes = 1;
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    listening = opened;
  });
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
    http.Get(std::string(file.path), [&file](const Request&, Response& response) {
      response.set_content(file.content.data(), file.content.size(), std::string(file.type));
    });
  http.Get("/api/openapi.json", [](const Request&, Response& response) {
    const std::string_view text = openapi_text();
    response.set_content(text.data(), text.size(), "application/json");
  });
  http.Get("/api/verbs", [](const Request&, Response& response) {
    response.set_content(served_json(), "application/json");
  });
  http.Post("/api/files", [this](const Request& q, Response& r, const httplib::ContentReader& read) {
    if (const auto body = body_of(q, r, read, options.upload_bytes)) take_file(q, r, *body);
  });
  http.Post("/api/([a-z-]+)", [this](const Request& q, Response& r, const httplib::ContentReader& read) {
    if (const auto body = body_of(q, r, read, max_request_bytes)) answer(q, r, *body);
  });
  http.Delete("/api/requests/([A-Za-z0-9_-]{1,64})", [this](const Request& q, Response& r) { cancel(q, r); });
}

Server::Server(const ServeOptions& options) : impl_(std::make_unique<Impl>(options)) {
  for (std::string& folder : impl_->options.folders) folder = real_folder(folder);
  if (!is_loopback(options.address) && options.token.empty())
    throw InputError(
        fmt::format("others than this machine can reach {}: expected a --token for them", options.address));
  impl_->declare();
  impl_->port = static_cast<int>(options.port);
  if (options.port == 0)
    impl_->port = impl_->http.bind_to_any_port(options.address);
  else if (!impl_->http.bind_to_port(options.address, impl_->port))
    impl_->port = -1;
  if (impl_->port < 0)
    throw InputError(fmt::format("port {} of {} cannot be had: another program may listen there",
                                 options.port, options.address));
  listen(impl_->listening, max_unaccepted);  // the library's five are too few for a crowd
}

Server::~Server() = default;

std::string Server::url() const {
  const std::string& address = impl_->options.address;
  return fmt::format("http://{}:{}/", address.find(':') != std::string::npos ? '[' + address + ']' : address,
                     impl_->port);
}

void Server::run(const std::function<bool()>& goes_on) {
  std::atomic<bool> has_ended = false;
  std::jthread listener([&] {
    impl_->http.listen_after_bind();
    has_ended = true;
  });
  const auto pause = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  while (goes_on() && !has_ended) pause(50);
  impl_->is_ending = true;
  while (!impl_->http.is_running() && !has_ended) pause(1);  // before that, stop() does nothing
  impl_->http.stop();
}

}  // namespace banyan::serve
