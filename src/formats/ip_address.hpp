// Addresses and prefixes of IPv4 and IPv6.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace banyan::formats {

struct IpAddress {
  bool is_v6 = false;
  std::array<u8, 16> bytes{};  // of IPv4 the first four

  u32 bits() const { return is_v6 ? 128 : 32; }
  std::string str() const;
  auto operator<=>(const IpAddress&) const = default;
};

struct IpPrefix {
  IpAddress base;  // bits beyond the length are 0
  u32 length = 0;
  auto operator<=>(const IpPrefix&) const = default;
};

std::optional<IpAddress> parse_ip(std::string_view text);
IpPrefix prefix_of(IpAddress address, u32 length);
std::optional<IpPrefix> parse_prefix(
    std::string_view text);  // 10.0.1.0/24; without a length the address alone

// Not of a host in a fabric: link-local, multicast, loopback, or everything.
bool is_special(const IpPrefix& prefix);

}  // namespace banyan::formats
