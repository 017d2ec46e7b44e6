// Decides from what discovery tells of an endpoint whether it is a host, or else what it is: an InfiniBand
// subnet also contains file servers, gateways, managers, and the aggregation nodes inside switches. A table
// of words and products in roles.cpp has the rules; a roles file (docs/formats.md) overrides it.
#pragma once
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/role.hpp"

namespace banyan::formats {

// A channel adapter or router as discovered. Numbers are 0 where the file does not say them.
struct Endpoint {
  std::string_view description;  // the whole node description: "node7 mlx5_0"
  u32 vendor = 0, device = 0;    // ids, as in vendid=0x2c9 and devid=0x1021
  u32 switch_port = 0;           // from 1: where on its switch the cable ends,
  u32 switch_ports = 0;          // and how many ports that switch has
  bool is_router = false;
};

struct EndpointRole {
  Role role = Role::host;
  // The description names a product, or nothing: it does not tell which host the adapter is part of, nor
  // which adapters share one. A placeholder such as localhost is a name, though its role is unknown.
  bool unnamed = false;
  bool operator==(const EndpointRole&) const = default;
};

// The lines of a roles file, each a pattern and a role.
class RoleFile {
 public:
  // Of the last line whose pattern matches the host's name or the whole description.
  std::optional<Role> find(std::string_view description) const;
  // The pattern: * stands for any text and ? for any character; small and capital letters are the same.
  void add(std::string pattern, Role role);
  std::size_t size() const { return lines_.size(); }

 private:
  struct Line {
    std::string pattern;  // in small letters
    Role role;
  };
  std::vector<Line> lines_;
};

// Lines PATTERN ROLE; blank lines, and what follows a # at the start of a word, are comments. Throws
// InputError with the line and what was expected.
RoleFile read_roles(std::istream& in, const std::string& file);

// By the table alone.
EndpointRole role_of(const Endpoint& endpoint);

// One for each endpoint, in the same order. Where the table alone leaves no host, endpoints of unknown role
// are the hosts, or else file servers and service nodes: the network exists for them.
std::vector<EndpointRole> roles_of(std::span<const Endpoint> endpoints, const RoleFile& file = {});

}  // namespace banyan::formats
