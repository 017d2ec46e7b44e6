#include "serve/client.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/file.hpp"

namespace banyan::serve {
namespace {

constexpr int slice_milliseconds = 50;  // after which everyone who waits looks up

struct End {
  sockaddr_storage address{};
  std::string hex;  // as /proc/net/tcp has it
};

std::string hex_of(const void* bytes, std::size_t words, u16 port) {
  std::ostringstream out;
  out << std::hex << std::uppercase;
  for (std::size_t i = 0; i < words; ++i) {
    u32 word = 0;
    std::memcpy(&word, static_cast<const char*>(bytes) + 4 * i, 4);
    out.width(8), out.fill('0'), out << word;
  }
  out << ':';
  out.width(4), out.fill('0'), out << ntohs(port);
  return out.str();
}

using NameOf = int (*)(int, sockaddr*, socklen_t*);
End end_of(int socket, NameOf name) {
  End out;
  socklen_t size = sizeof out.address;
  if (name(socket, reinterpret_cast<sockaddr*>(&out.address), &size) != 0) return out;
  const auto& four = reinterpret_cast<const sockaddr_in&>(out.address);
  const auto& six = reinterpret_cast<const sockaddr_in6&>(out.address);
  out.hex = out.address.ss_family == AF_INET ? hex_of(&four.sin_addr, 1, four.sin_port)
                                             : hex_of(&six.sin6_addr, 4, six.sin6_port);
  return out;
}

std::string text_of(const sockaddr_storage& address, int& port) {
  char text[INET6_ADDRSTRLEN] = {};
  const auto& four = reinterpret_cast<const sockaddr_in&>(address);
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  const bool is_four = address.ss_family == AF_INET;
  port = ntohs(is_four ? four.sin_port : six.sin6_port);
  inet_ntop(address.ss_family, is_four ? static_cast<const void*>(&four.sin_addr) : &six.sin6_addr, text,
            sizeof text);
  return text;
}

}  // namespace

Client::Client(base::Descriptor socket, std::string head, Steady::time_point deadline,
               Steady::duration answer, const std::atomic<bool>& is_ending)
    : socket_(std::move(socket)),
      head_(std::move(head)),
      deadline_(deadline),
      answer_(answer),
      is_ending_(is_ending),
      address_(text_of(end_of(socket_.get(), getpeername).address, port_)) {}

bool Client::waits_for(short events) const {
  while (!is_given_up()) {
    pollfd state{socket_.get(), events, 0};
    if (poll(&state, 1, slice_milliseconds) > 0) return true;
  }
  return false;
}

ssize_t Client::read(char* data, std::size_t size) {
  if (given_ < head_.size()) {
    const std::size_t piece = std::min(size, head_.size() - given_);
    std::memcpy(data, head_.data() + given_, piece);
    given_ += piece;
    return static_cast<ssize_t>(piece);
  }
  while (waits_for(POLLIN)) {
    const ssize_t got = recv(socket_.get(), data, size, MSG_DONTWAIT);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return got;
  }
  return -1;
}

ssize_t Client::write(const char* data, std::size_t size) {
  if (!has_answered_) deadline_ = Steady::now() + answer_;
  has_answered_ = true;
  while (waits_for(POLLOUT)) {
    const ssize_t sent = send(socket_.get(), data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0 || (errno != EAGAIN && errno != EINTR)) return sent;
  }
  return -1;
}

bool Client::is_gone() const {
  pollfd state{socket_.get(), POLLRDHUP, 0};
  return is_cut_ || (poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0);
}

void Client::cut() {
  is_cut_ = true;
  shutdown(socket_.get(), SHUT_RDWR);
}

// The other end is a socket of this machine when the system lists it: its columns are a number, the local and
// the remote address, and further on the user.
std::optional<uid_t> Client::user() const {
  const End own = end_of(socket_.get(), getsockname), other = end_of(socket_.get(), getpeername);
  const std::string path = own.address.ss_family == AF_INET ? "/proc/net/tcp" : "/proc/net/tcp6";
  if (!base::input_exists(path)) return std::nullopt;
  std::ifstream table = base::open_input(path);
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string number, local, remote, skipped;
    words >> number >> local >> remote;
    if (local != other.hex || remote != own.hex) continue;
    uid_t user = 0;
    for (int i = 0; i < 4; ++i) words >> skipped;  // state, queues, timer, retransmissions
    if (words >> user) return user;
  }
  return std::nullopt;
}

}  // namespace banyan::serve
