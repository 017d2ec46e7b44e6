#include "serve/admission.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "base/text.hpp"

namespace banyan::serve {
namespace {

constexpr std::string_view digits = "0123456789", hexadecimal = "0123456789abcdefABCDEF",
                           letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == text.npos;
}

// The host of a Host header (RFC 9110, 7.2: uri-host [":" port]), with its brackets; none: it is not one.
// "localhost:8137" -> "localhost", "[::1]:8137" -> "[::1]"; "127.0.0.1:1@evil.example" is none.
std::optional<std::string_view> host_of(std::string_view text) {
  static const std::string in_names = std::string(letters) + std::string(digits) + "-._~%!$&'()*+,;=";
  static const std::string in_brackets = std::string(hexadecimal) + ":.";
  const bool has_brackets = text.starts_with('[');
  const std::size_t end = has_brackets ? text.find(']') : text.find(':');
  if (has_brackets && end == text.npos) return std::nullopt;
  const std::string_view host = text.substr(0, has_brackets ? end + 1 : end), rest = text.substr(host.size());
  if (has_brackets ? !has_only(host.substr(1, host.size() - 2), in_brackets) : !has_only(host, in_names))
    return std::nullopt;
  if (!rest.empty() && (rest.front() != ':' || !has_only(rest.substr(1), digits))) return std::nullopt;
  return host;
}

bool is_own_name(std::string_view host) {
  return host.starts_with('[') ? host == "[::1]" : is_loopback(lower(host));
}

// The token of an Authorization header; the name of the scheme is in letters of either case (RFC 9110, 11.1).
std::string_view bearer_token(std::string_view header) {
  constexpr std::string_view scheme = "bearer";
  if (lower(header.substr(0, scheme.size())) != scheme) return {};
  const std::string_view rest = header.substr(scheme.size());
  const std::size_t begin = rest.find_first_not_of(' ');
  return begin == 0 || begin == rest.npos ? std::string_view() : rest.substr(begin);
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
  const auto host = host_of(asked.host);
  if (!host) return Refusal{400, "expected a Host: a name or an address, and perhaps a port"};
  if (!admission.any_host && !is_own_name(*host))
    return Refusal{403, "asked for under a name that is not this machine's own"};
  const bool from_elsewhere = asked.fetch_site == "cross-site" || asked.fetch_site == "same-site";
  const bool is_own = asked.origin == "http://" + asked.host ||
                      (admission.any_host && asked.origin == "https://" + asked.host);  // behind a proxy
  if ((!asked.origin.empty() && !is_own) || (from_elsewhere && asked.is_api))
    return Refusal{403, "asked for by a page of another site"};
  if (asked.is_api && !is_same(bearer_token(asked.authorization), admission.token))
    return Refusal{401, "the token is missing or wrong: the address that the server printed has it"};
  return std::nullopt;
}

}  // namespace banyan::serve
