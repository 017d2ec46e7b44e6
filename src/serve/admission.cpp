#include "serve/admission.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace banyan::serve {
namespace {

// "localhost:8137" -> "localhost", "[::1]:8137" -> "::1"
std::string_view host_of(std::string_view text) {
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  return text.substr(0, text.find(':'));
}

// Takes as long for a wrong token as for the right one.
bool is_same(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned>(a[i] ^ b[i % std::max<std::size_t>(1, b.size())]);
  return difference == 0;
}

}  // namespace

bool is_loopback(std::string_view address) {
  if (address == "localhost" || address == "::1") return true;
  in_addr parsed{};
  return inet_pton(AF_INET, std::string(address).c_str(), &parsed) == 1 && ntohl(parsed.s_addr) >> 24 == 127;
}

std::optional<Refusal> refusal(const Asked& asked, const Admission& admission) {
  if (asked.is_ambiguous)
    return Refusal{400, "expected one Host, and at most one Origin and one Authorization"};
  if (!admission.any_host && !is_loopback(host_of(asked.host)))
    return Refusal{403, "asked for under a name that is not this machine's own"};
  const bool from_elsewhere = asked.fetch_site == "cross-site" || asked.fetch_site == "same-site";
  const bool is_own = asked.origin == "http://" + asked.host ||
                      (admission.any_host && asked.origin == "https://" + asked.host);  // behind a proxy
  if ((!asked.origin.empty() && !is_own) || (from_elsewhere && asked.is_api))
    return Refusal{403, "asked for by a page of another site"};
  if (asked.is_api && !is_same(asked.authorization, "Bearer " + admission.token))
    return Refusal{401, "the token is missing or wrong: the address that the server printed has it"};
  return std::nullopt;
}

}  // namespace banyan::serve
