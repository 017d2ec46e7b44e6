// What a reader collects before numbers exist: nodes by the keys their file has for them, and cables between
// them. to_fabric() checks every rule that bad input can break, and numbers it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "formats/format.hpp"

namespace banyan::formats {

struct RawNode {
  enum class Kind : u8 { unknown, nic, switch_ };

  std::string key;            // what the file calls it
  std::string name;           // of the host or the switch; empty: the key
  std::string adapter;        // which of its host's NICs, when the file says it in words,
  std::optional<u32> rail;    // or in numbers
  std::optional<u32> ports;   // how many; otherwise as many as are used,
  u32 least_ports = 0;        // and no fewer than these
  Kind kind = Kind::unknown;  // unknown ones are hosts if they have at most one cable
  bool defined = false;       // or only mentioned so far
  u64 line = 0;               // where it was defined, or first mentioned
  u64 guid = 0, system_guid = 0;
  std::vector<InfinibandIds::Attachment> attachments;  // of a switch one, of a NIC by port
};

struct RawEnd {
  u32 node = 0;
  u32 port = 0;  // as printed, from 1; 0: the file does not say, the next one behind those it numbers
  auto operator<=>(const RawEnd&) const = default;
};

// A cable may be listed from both of its ends; if their speeds differ, the slower one holds.
struct RawCable {
  RawEnd a, b;
  std::optional<double> capacity;  // unknown: like the slowest that is known
  double latency = 1;
  u64 line = 0;
};

struct RawFabric {
  explicit RawFabric(std::string file_name) : file(std::move(file_name)) {}

  u32 mention(std::string_view key, u64 line);  // the node of that key, new if need be
  u32 define(std::string_view key, u64 line);   // refuses a key defined before
  [[noreturn]] void fail(u64 line, const std::string& what) const {
    throw InputError(Place{file, line}, what);
  }

  // Numbers as files write them, within what is sane.
  u32 port_number(std::string_view text, u64 line) const;  // from 1
  u32 rail_number(std::string_view text, u64 line) const;
  double capacity(std::string_view text, u64 line) const;
  double latency(std::string_view text, u64 line) const;

  std::string file;
  std::vector<RawNode> nodes;
  std::vector<RawCable> cables;
  double default_capacity = 1;  // of cables, where no capacity is known at all

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, u32, Hash, std::equal_to<>> by_key_;
};

constexpr u32 max_ports_of_a_node = 1 << 20, max_rails = 256;

// Refuses a fabric that is nearly all empty ports: more likely a slip of the pen, and a danger to memory.
void check_size(u64 nodes, u64 ports, u64 cables, const std::string& file);

// The text with bytes that are not printable UTF-8 replaced, so that every format can carry it.
std::string printable(std::string_view text);

// Hosts and switches in natural order of their names. The adapters of a host are its rails: by their names
// where the fabric has as many of these as a host has adapters, otherwise in natural order. Names that occur
// twice get their GUID or key appended. What a file calls port 1 is Port 0.
FabricFile to_fabric(RawFabric raw);

}  // namespace banyan::formats
