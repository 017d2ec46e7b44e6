// Ids that engines use internally, in addition to those of a fabric; they are dense, too.
#pragma once
#include "fabric/ids.hpp"

namespace banyan::engines {

enum class Switch : u32 {};         // a switch, counted from 0: its node number minus the number of NICs
enum class SwitchChannel : u32 {};  // a channel between switches, counted switch by switch, as in Backbone
enum class TreeNode : u32 {};       // a node of a RankedTree, counted as in Tables

}  // namespace banyan::engines
