// RawFabric: what a reader collects before nodes have numbers, namely nodes by the keys of the file, and
// cables between them. Every reader fills one; to_fabric() checks all rules that bad input can break, and
// numbers the nodes.
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

  std::string key;            // the identifier of the node in the file
  std::string name;           // name of the host or switch; empty: the key
  std::string adapter;        // which NIC of its host, if the file gives a name,
  std::optional<u32> rail;    // its rail, if the file gives one
  std::optional<u32> slot;    // its place among the NICs of its host, if the file gives it
  Role role = Role::host;     // of its host
  std::optional<u32> ports;   // number of ports; otherwise as many as are used,
  u32 least_ports = 0;        // but at least this many
  Kind kind = Kind::unknown;  // unknown nodes are hosts if they have at most one cable
  bool defined = false;       // false: only mentioned so far
  u64 line = 0;               // where it was defined, or first mentioned
  u64 guid = 0, system_guid = 0;
  std::string description;       // of a NIC in InfiniBand, from which name and adapter were split off
  u32 vendor = 0, device = 0;    // ids of its product; 0: not said
  bool is_router = false;        // a NIC that leads to another subnet
  bool is_further_port = false;  // of an adapter, whose first port is another NIC with the same GUID
  std::vector<InfinibandIds::Attachment> attachments;  // one for a switch; by port for a NIC
};

struct RawEnd {
  u32 node = 0;
  u32 port = 0;   // as printed, from 1; 0: not given, the next one after the others
  u32 label = 0;  // or a text, an index of RawFabric::labels; these get the free numbers in natural order
  auto operator<=>(const RawEnd&) const = default;
};

// A cable. It may be listed from both ends; if their speeds differ, the slower one applies.
struct RawCable {
  RawEnd a, b;
  std::optional<double> capacity;  // unknown: the slowest known one
  double latency = 1;
  u64 line = 0;
};

struct RawFabric {
  explicit RawFabric(std::string file_name) : file(std::move(file_name)) {}

  u32 mention(std::string_view key, u64 line);  // the node of that key, which is created if necessary
  u32 define(std::string_view key, u64 line);   // throws if the key was defined before
  [[noreturn]] void fail(u64 line, const std::string& what) const {
    throw InputError(Place{file, line}, what);
  }

  // Parse numbers within reasonable limits; throw InputError.
  u32 port_number(std::string_view text, u64 line) const;  // from 1
  u32 rail_number(std::string_view text, u64 line) const;
  // What a file says of a NIC of a host with several, as nic_text() writes it: a rail, or n and a slot where
  // it has no rail.
  void read_nic(RawNode& node, std::string_view text, u64 line) const;
  // host, switch, or another role of a machine; throws for anything else.
  void read_kind(RawNode& node, std::string_view text, u64 line) const;
  // An end of a cable from what stands beside the port: a number, a text, or nothing.
  RawEnd end(u32 node, std::string_view port, u64 line);
  u32 label(std::string_view text);
  double capacity(std::string_view text, u64 line) const;
  // The same, or a speed such as 100G; then all are, and are counted in Gbit/s.
  double capacity_or_speed(std::string_view text, u64 line);
  double latency(std::string_view text, u64 line) const;

  std::string file;
  std::vector<RawNode> nodes;
  std::vector<RawCable> cables;
  std::vector<std::string> labels = {""};  // texts beside ports, each once
  base::Speed unit{};                      // of a link of capacity 1, where capacities are speeds
  u64 skipped_lines = 0;                   // messages of tools

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Numbers = std::unordered_map<std::string, u32, Hash, std::equal_to<>>;
  Numbers by_key_, by_label_;
  u64 capacity_line_ = 0;  // the first that capacity_or_speed() read
};

constexpr u32 max_ports_of_a_node = 1 << 20, max_rails = 256;

// Throws InputError for a fabric that consists almost only of empty ports: it is probably a typing error, and
// would exhaust memory.
void check_size(u64 nodes, u64 ports, u64 cables, const std::string& file);

// What tells a NIC from the others of its host, and what a node is, as files say it.
bool tells_nics(const Fabric& fabric);  // whether files need that at all
std::string nic_text(const Fabric& fabric, Nic nic);
std::string_view kind_text(const Fabric& fabric, Node node);

// Whether a text beside a port is a number rather than a label.
bool is_port_number(std::string_view text);

// Replaces bytes that are not printable UTF-8, so that every format can carry the text.
std::string printable(std::string_view text);

// Numbers hosts and switches in natural order of their names. NICs of one name are of one host; their slots
// are in natural order of their adapters' names. Names of nodes that occur twice get their GUID or key
// appended. Port 1 of the file is Port 0. Throws InputError.
FabricFile to_fabric(RawFabric raw);

}  // namespace banyan::formats
