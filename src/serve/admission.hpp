// Who may ask at all. A page of another site could have the browser ask for it (its Origin tells), or let its
// own name point to this machine (the Host tells); neither gets in. With a token any Host will do, as a proxy
// may have a name of its own; who has no token gets nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace banyan::serve {

bool is_loopback(std::string_view address);  // an address, or localhost

struct Asked {
  std::string host, origin, fetch_site, authorization;  // headers; empty: not there
  bool is_api = false;
};
struct Refusal {
  int status;
  std::string why;
};
std::optional<Refusal> refusal(const Asked& asked, const std::string& token);

}  // namespace banyan::serve
