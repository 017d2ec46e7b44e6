#include "serve/front.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace banyan::serve {
namespace {

constexpr int look_up_milliseconds = 50;
constexpr int max_unaccepted = 1024;
constexpr std::string_view refusal_431 =
    "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

Steady::duration seconds(double number) {
  return std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(number));
}

// No SO_REUSEPORT: a port that is taken is refused.
base::Descriptor listening(const std::string& address, u32 port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return base::Descriptor();
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, freeaddrinfo);
  for (const addrinfo* at = found; at; at = at->ai_next) {
    base::Descriptor out(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int yes = 1;
    setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (out && bind(out.get(), at->ai_addr, at->ai_addrlen) == 0 && listen(out.get(), max_unaccepted) == 0)
      return out;
  }
  return base::Descriptor();
}

// A connection of which the head has not come yet.
struct Head {
  base::Descriptor socket;
  Steady::time_point since;
  std::string text{};
};
enum class State { reading, complete, too_large, over };

// Reads what is there.
State read_head(Head& head, const FrontLimits& limits) {
  std::array<char, 4096> buffer;
  const ssize_t got = recv(head.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? State::reading : State::over;
  if (got == 0) return State::over;
  const std::size_t before = head.text.size() < 3 ? 0 : head.text.size() - 3;
  head.text.append(buffer.data(), static_cast<std::size_t>(got));
  const std::size_t end = head.text.find("\r\n\r\n", before);
  const bool is_complete = end != std::string::npos;
  const auto lines =
      std::count(head.text.begin(),
                 head.text.begin() + static_cast<std::ptrdiff_t>(is_complete ? end : head.text.size()), '\n');
  if ((is_complete ? end : head.text.size()) > limits.head_bytes ||
      static_cast<std::size_t>(lines) > limits.head_lines)
    return State::too_large;
  return is_complete ? State::complete : State::reading;
}

}  // namespace

struct Front::Impl {
  struct Answered {
    std::shared_ptr<Client> client;
    Steady::time_point since;
  };

  Impl(const std::string& address, u32 port, const FrontLimits& l, std::function<void(Client&)> s)
      : limits(l), serve(std::move(s)), socket(listening(address, port)) {
    if (!socket)
      throw InputError(
          fmt::format("port {} of {} cannot be had: another program may listen there", port, address));
  }

  void accept_all();
  bool goes_on_reading(Head& head);
  void read_heads(const std::vector<pollfd>& states);
  void drop_oldest_head();
  void hand_on(Head head);
  void make_room();
  void work();
  void end();

  FrontLimits limits;
  std::function<void(Client&)> serve;
  base::Descriptor socket;
  std::list<Head> heads;  // the oldest first
  std::atomic<bool> is_ending = false;

  std::mutex mutex;  // of all below
  std::condition_variable changed;
  std::deque<std::shared_ptr<Client>> waiting;
  std::list<Answered> answered;  // being answered, the oldest first
  std::size_t idle = 0;
  std::vector<std::jthread> threads;
};

Front::Front(const std::string& address, u32 port, const FrontLimits& limits,
             std::function<void(Client&)> serve)
    : impl_(std::make_unique<Impl>(address, port, limits, std::move(serve))) {}
Front::~Front() { impl_->end(); }

int Front::port() const {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  getsockname(impl_->socket.get(), reinterpret_cast<sockaddr*>(&own), &size);
  return ntohs(own.ss_family == AF_INET ? reinterpret_cast<sockaddr_in&>(own).sin_port
                                        : reinterpret_cast<sockaddr_in6&>(own).sin6_port);
}

void Front::Impl::drop_oldest_head() {
  if (!heads.empty()) heads.pop_front();
}

void Front::Impl::accept_all() {
  for (;;) {
    base::Descriptor accepted(accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!accepted) {
      if (errno == EMFILE || errno == ENFILE) return drop_oldest_head();  // and then again
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    const int yes = 1;
    setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    // Most have sent their head by now: in a crowd these need no place among those who are awaited.
    Head head{std::move(accepted), Steady::now()};
    if (!goes_on_reading(head)) continue;
    if (heads.size() >= limits.heads) drop_oldest_head();
    heads.push_back(std::move(head));
  }
}

// Reads what has come of it; false once it is complete and handed on, or given up.
bool Front::Impl::goes_on_reading(Head& head) {
  const State now = read_head(head, limits);
  if (now == State::too_large)
    send(head.socket.get(), refusal_431.data(), refusal_431.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (now == State::complete) hand_on(std::move(head));
  return now == State::reading;
}

// `states` has one for each head, in order.
void Front::Impl::read_heads(const std::vector<pollfd>& states) {
  const Steady::time_point too_old = Steady::now() - seconds(limits.head_seconds);
  auto state = states.begin();
  for (auto head = heads.begin(); head != heads.end();) {
    const bool has_come = state != states.end() && (state++)->revents != 0;
    const bool stays = (!has_come || goes_on_reading(*head)) && head->since > too_old;
    head = stays ? std::next(head) : heads.erase(head);
  }
}

// Those who wait get the places of those who have long been answered without having shown the token.
void Front::Impl::make_room() {
  const Steady::time_point too_old = Steady::now() - seconds(limits.token_seconds);
  const std::lock_guard lock(mutex);
  std::size_t wanted = waiting.size();
  for (const Answered& at : answered)
    if (wanted > 0 && at.since < too_old && !at.client->is_known()) at.client->cut(), --wanted;
}

void Front::Impl::hand_on(Head head) {
  auto client = std::make_shared<Client>(std::move(head.socket), std::move(head.text),
                                         head.since + seconds(limits.request_seconds),
                                         seconds(limits.answer_seconds), is_ending);
  const std::lock_guard lock(mutex);
  waiting.push_back(std::move(client));
  if (waiting.size() <= idle) return changed.notify_one();
  if (threads.size() < limits.threads) {
    try {
      threads.emplace_back([this] { work(); });
      return;
    } catch (const std::system_error&) {  // the system has no more: those that there are do it
    }
  }
}

void Front::Impl::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    ++idle;
    changed.wait(lock, [this] { return is_ending || !waiting.empty(); });
    --idle;
    if (is_ending) return;
    const Steady::time_point now = Steady::now();
    const auto place = answered.insert(answered.end(), {std::move(waiting.front()), now});
    waiting.pop_front();
    lock.unlock();
    serve(*place->client);
    lock.lock();
    answered.erase(place);
  }
}

void Front::Impl::end() {
  {
    const std::lock_guard lock(mutex);
    is_ending = true;
  }
  changed.notify_all();
  threads.clear();
  waiting.clear();
  heads.clear();
}

void Front::run(const std::function<bool()>& goes_on) {
  while (goes_on()) {
    std::vector<pollfd> states{{impl_->socket.get(), POLLIN, 0}};
    for (const Head& head : impl_->heads) states.push_back({head.socket.get(), POLLIN, 0});
    if (poll(states.data(), states.size(), look_up_milliseconds) < 0) continue;
    const bool has_new = states.front().revents != 0;
    states.erase(states.begin());
    impl_->read_heads(states);
    if (has_new) impl_->accept_all();
    impl_->make_room();
  }
  impl_->end();
}

}  // namespace banyan::serve
