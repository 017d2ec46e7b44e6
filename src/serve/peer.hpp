// The other end of a connection, of which the HTTP library tells only address and port: whether it is still
// there. A command that nobody waits for is ended.
#pragma once
#include <string>

namespace banyan::serve {

class Peer {
 public:
  Peer(const std::string& address, int port);  // looks for the connection among those that are open
  bool is_gone() const;                        // false also where none was found

 private:
  int socket_ = -1;  // the library's, open for as long as the request is being answered
};

}  // namespace banyan::serve
