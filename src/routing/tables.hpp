// Forward by table: at every switch, one port for each address. Entries are stored by address, so that those
// of one destination are together: engines fill them and the judge reads them tree by tree.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "fabric/fabric.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

class Tables {
 public:
  static constexpr u8 no_port = 255;
  static constexpr u32 max_ports = 255;  // of a switch: ports 0 to 254

  // Initially every entry is no_port. NICs have rows only where some NIC has several ports to choose from.
  explicit Tables(const Fabric& fabric, u32 lmc = 0);

  u32 addresses() const { return addresses_; }
  bool has(Node node) const { return index(node) >= first_node_; }

  u8& operator()(Node node, Address to) { return ports_[slot(node, to)]; }
  u8 operator()(Node node, Address to) const { return ports_[slot(node, to)]; }

  // All entries for one destination, by node from first_node() on.
  u32 first_node() const { return first_node_; }
  std::span<u8> towards(Address to) { return {ports_.data() + std::size_t{index(to)} * nodes_, nodes_}; }
  std::span<const u8> towards(Address to) const {
    return {ports_.data() + std::size_t{index(to)} * nodes_, nodes_};
  }

  // A missing entry is offered as port 255, which no node has.
  Hop next(Node node, const Header& header) const {
    const u16 lanes = static_cast<u16>(1u << header.lane);
    return {has(node) ? Port{(*this)(node, header.to)} : Port{0}, lanes, header.state, 0};
  }

  static constexpr bool keeps_header = true;
  bool enters_alike() const { return first_node_ > 0; }
  std::string reason(const Fabric& fabric, Channel c) const {
    return "port " + fabric.port_label(c) + " by its table";
  }

  bool operator==(const Tables&) const = default;

 private:
  std::size_t slot(Node node, Address to) const {
    BANYAN_HOT_ASSERT(has(node) && index(node) - first_node_ < nodes_, "the node has a table");
    BANYAN_HOT_ASSERT(index(to) < addresses_, "the address is one of the fabric");
    return std::size_t{index(to)} * nodes_ + (index(node) - first_node_);
  }

  u32 first_node_, nodes_, addresses_;
  std::vector<u8> ports_;
};

// The source of a routing with tables: every address of the destination is a way, and the lane, where there
// are several, depends on the switch of the source and on the address.
struct TableWays {
  u32 lmc = 0;
  u32 addresses = 0;          // number of addresses of the fabric; row length of `lanes`
  std::vector<u32> lane_row;  // by source NIC: its row in `lanes`; empty: always lane 0
  std::vector<u8> lanes;      // by row and address
  bool nics_choose = false;   // every NIC has a row of its own: of several ports, each may take another

  u32 count(Nic, Nic, u64) const { return 1u << lmc; }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const Address address{(index(to) << lmc) + i};
    return {.to = address, .lane = lane(from, address)};
  }
  u8 lane(Nic from, Address to) const {
    return lanes.empty() ? u8{0} : lanes[std::size_t{lane_row[index(from)]} * addresses + index(to)];
  }
  Reads reads() const {
    return lanes.empty() ? Reads::nothing : nics_choose ? Reads::nic : Reads::attachment;
  }
};

}  // namespace banyan::routing
