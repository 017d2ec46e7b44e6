#include "serve/peer.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>

namespace banyan::serve {
namespace {

bool is_at(int socket, const std::string& address, int port) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return false;
  char text[INET6_ADDRSTRLEN] = {};
  if (peer.ss_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in&>(peer);
    return ntohs(in.sin_port) == port && inet_ntop(AF_INET, &in.sin_addr, text, sizeof text) &&
           text == address;
  }
  if (peer.ss_family != AF_INET6) return false;
  const auto& in = reinterpret_cast<const sockaddr_in6&>(peer);
  return ntohs(in.sin6_port) == port && inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text) &&
         text == address;
}

}  // namespace

Peer::Peer(const std::string& address, int port) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    if (!is_at(descriptor, address, port)) continue;
    socket_ = descriptor;
    return;
  }
}

bool Peer::is_gone() const {
  if (socket_ < 0) return false;
  pollfd state{socket_, POLLRDHUP, 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace banyan::serve
