// Who may ask at all. A page of another site could have the browser ask for it (its Origin tells), or let its
// own name point to this machine (the Host tells); neither gets in, nor does one who names two hosts or two
// origins. Who has not the token gets the page and nothing else. Where the token was given, any Host will do,
// as a proxy may have a name of its own.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace banyan::serve {

bool is_loopback(std::string_view address);  // an address, or localhost

struct Asked {
  std::string host, origin, fetch_site, authorization;  // headers; empty: not there
  bool is_api = false;
  bool is_ambiguous = false;  // a header that decides is there twice, or there is no Host
};
struct Admission {
  std::string token;
  bool any_host = false;
};
struct Refusal {
  int status;
  std::string why;
};
std::optional<Refusal> refusal(const Asked& asked, const Admission& admission);

}  // namespace banyan::serve
