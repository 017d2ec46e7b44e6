// In place of server.cpp in a build without the explorer (BANYAN_EXPLORER=OFF).
#include "base/error.hpp"
#include "serve/server.hpp"

namespace banyan::serve {

struct Server::Impl {};

Server::Server(const ServeOptions&) {
  throw InputError(
      "this build has no explorer (BANYAN_EXPLORER=OFF): build with cpp-httplib for 'banyan serve'");
}
Server::~Server() = default;
std::string Server::url() const { return ""; }
void Server::run(const std::function<bool()>&) {}

}  // namespace banyan::serve
