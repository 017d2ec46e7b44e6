// Routing by table: at every switch, one port for each address; lanes as the header says.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/header.hpp"

namespace banyan {

class Tables {
 public:
  static constexpr u16 no_port = 0xffff;

  Tables(const Fabric& fabric, u32 lmc = 0)
      : first_switch_(fabric.nics()),
        addresses_(fabric.nics() << lmc),
        ports_(std::size_t{fabric.switches()} * addresses_, no_port) {}

  u16& operator()(Node node, Address to) { return ports_[slot(node, to)]; }
  u16 operator()(Node node, Address to) const { return ports_[slot(node, to)]; }

  // A NIC with several ports starts at the one in the header's tag. A missing entry is port 65535.
  Hop next(Node node, const Header& header) const {
    const u16 lanes = static_cast<u16>(1u << header.lane);
    if (index(node) < first_switch_) return {Port{static_cast<u32>(header.tag)}, lanes, header.state, 0};
    return {Port{(*this)(node, header.to)}, lanes, header.state, 0};
  }

 private:
  std::size_t slot(Node node, Address to) const {
    return std::size_t{index(node) - first_switch_} * addresses_ + index(to);
  }

  u32 first_switch_, addresses_;
  std::vector<u16> ports_;
};

}  // namespace banyan
