#include "formats/ip_address.hpp"

#include <arpa/inet.h>

#include "base/text.hpp"

namespace banyan::formats {

std::string IpAddress::str() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(is_v6 ? AF_INET6 : AF_INET, bytes.data(), text.data(), text.size());
  return text.data();
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  IpAddress out;
  const std::string copy(text);
  if (inet_pton(AF_INET, copy.c_str(), out.bytes.data()) == 1) return out;
  out.is_v6 = true;
  if (inet_pton(AF_INET6, copy.c_str(), out.bytes.data()) == 1) return out;
  return std::nullopt;
}

IpPrefix prefix_of(IpAddress address, u32 length) {
  for (u32 bit = length; bit < address.bits(); ++bit)
    address.bytes[bit / 8] = static_cast<u8>(address.bytes[bit / 8] & ~(0x80u >> bit % 8));
  return {address, length};
}

std::optional<IpPrefix> parse_prefix(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto length =
      slash == text.npos ? std::optional<u64>(address->bits()) : parse_unsigned(text.substr(slash + 1));
  if (!length || *length > address->bits()) return std::nullopt;
  return prefix_of(*address, static_cast<u32>(*length));
}

bool is_special(const IpPrefix& prefix) {
  const auto& b = prefix.base.bytes;
  if (!prefix.base.is_v6)
    return b[0] == 127 || b[0] >= 224 || (b[0] == 169 && b[1] == 254) || prefix.length == 0;
  const bool is_loopback = prefix.length == 128 && prefix.base == *parse_ip("::1");
  return b[0] == 0xff || (b[0] == 0xfe && (b[1] & 0xc0) == 0x80) || prefix.length == 0 || is_loopback;
}

}  // namespace banyan::formats
