// The ids of a fabric. All are dense; fabric.hpp defines their numbering.
#pragma once
#include "base/ids.hpp"

namespace banyan::fabric {

enum class Host : u32 {};     // a machine
enum class Nic : u32 {};      // its attachment to one rail; also the node with the same number
enum class Node : u32 {};     // NIC or switch
enum class Port : u32 {};     // a numbered exit of a node, from 0
enum class Channel : u32 {};  // one direction of a link: the exit of a node through a port

}  // namespace banyan::fabric
