#include "study/connection.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/temporary.hpp"
#include "base/text.hpp"

namespace banyan::study {
namespace {

constexpr u64 max_bytes = u64{1} << 32;

bool send_all(int socket, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent, bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::recv(socket, data, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got, bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// A machine that is gone without a word is noticed within two minutes.
void keep_alive(int socket) {
  const auto set = [&](int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 15);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

// The numbers by which other machines know this one.
std::string own_numbers() {
  std::string out;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return out;
  for (const ifaddrs* i = all; i; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    if ((i->ifa_flags & IFF_UP) == 0 || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
    sockaddr_in address;
    std::memcpy(&address, i->ifa_addr, sizeof address);
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    out += fmt::format(" {}", text);
  }
  freeifaddrs(all);
  return out;
}

// Waits a few seconds at most.
int connected(const std::string& number, u16 port) {
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  if (inet_pton(AF_INET, number.c_str(), &to.sin_addr) != 1) return -1;
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -1;
  pollfd wait = {socket, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  if ((connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0 || errno == EINPROGRESS) &&
      poll(&wait, 1, 5000) == 1 && getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
      error == 0 && fcntl(socket, F_SETFL, 0) == 0)
    return socket;
  ::close(socket);
  return -1;
}

}  // namespace

Connection::Connection(int socket) : socket_(socket) {
  if (socket_ >= 0) keep_alive(socket_);
}
Connection::Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

bool Connection::send_raw(const std::string& bytes) const {
  return send_all(socket_, bytes.data(), bytes.size());
}
bool Connection::receive_raw(std::string& bytes) const {
  return receive_all(socket_, bytes.data(), bytes.size());
}

bool Connection::send(const std::string& message) const {
  const u64 bytes = message.size();
  char head[sizeof bytes];
  std::memcpy(head, &bytes, sizeof bytes);
  return send_all(socket_, head, sizeof head) && send_all(socket_, message.data(), bytes);
}

std::optional<std::string> Connection::receive() const {
  u64 bytes = 0;
  char head[sizeof bytes];
  if (!receive_all(socket_, head, sizeof head)) return std::nullopt;
  std::memcpy(&bytes, head, sizeof bytes);
  if (bytes > max_bytes) return std::nullopt;
  std::string out(bytes, '\0');
  if (!receive_all(socket_, out.data(), bytes)) return std::nullopt;
  return out;
}

void Connection::cut() const {
  if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
}

Listener::Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), word_(random_word()) {
  sockaddr_in any = {};
  any.sin_family = AF_INET;
  socklen_t size = sizeof any;
  auto* address = reinterpret_cast<sockaddr*>(&any);
  if (socket_ < 0 || bind(socket_, address, size) != 0 || listen(socket_, 4096) != 0 ||
      getsockname(socket_, address, &size) != 0)
    throw InputError(fmt::format("no socket for the other ranks: {}", std::strerror(errno)));
  address_ = fmt::format("{} {} {}{}", word_, ntohs(any.sin_port), host_name(), own_numbers());
}
Listener::~Listener() { ::close(socket_); }

void Listener::close() const { shutdown(socket_, SHUT_RDWR); }

Connection Listener::answer() {
  for (;;) {
    const int found = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (found >= 0) return Connection(found);
    if (errno != EINTR && errno != ECONNABORTED) return Connection();
  }
}

bool Listener::lets_in(const Connection& line) const {
  std::string said(word_.size(), '\0');
  return line.receive_raw(said) && said == word_;
}

Connection call(const std::string& address) {
  const std::vector<std::string_view> fields = split(address, ' ');
  const u16 port = static_cast<u16>(std::stoul(std::string(fields.at(1))));
  std::vector<std::string> numbers;
  if (fields.at(2) == host_name()) numbers.emplace_back("127.0.0.1");
  for (std::size_t i = 3; i < fields.size(); ++i) numbers.emplace_back(fields[i]);
  for (const std::string& number : numbers)
    if (const int socket = connected(number, port); socket >= 0) {
      Connection line(socket);
      if (line.send_raw(std::string(fields[0]))) return line;
    }
  return Connection();
}

Packer& Packer::operator<<(u64 value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out_.append(bytes, sizeof value);
  return *this;
}
Packer& Packer::operator<<(double value) { return *this << std::bit_cast<u64>(value); }
Packer& Packer::operator<<(const std::string& text) {
  *this << u64{text.size()};
  out_ += text;
  return *this;
}

const char* Unpacker::next(u64 bytes) {
  if (bytes > rest_.size() - at_) throw InputError("a message from another rank ends too early");
  at_ += bytes;
  return rest_.data() + at_ - bytes;
}
u64 Unpacker::number() {
  u64 out;
  std::memcpy(&out, next(sizeof out), sizeof out);
  return out;
}
double Unpacker::real() { return std::bit_cast<double>(number()); }
std::string Unpacker::text() {
  const u64 bytes = number();
  return {next(bytes), bytes};
}

}  // namespace banyan::study
