// Ids that engines use among themselves, beside those of a fabric; dense like those.
#pragma once
#include "fabric/ids.hpp"

namespace banyan::engines {

enum class Switch : u32 {};         // a switch, counted from 0: its node comes so far behind the last NIC
enum class SwitchChannel : u32 {};  // a channel between switches, counted switch by switch: a Backbone's
enum class TreeNode : u32 {};       // a node of a RankedTree, counted as in Tables

}  // namespace banyan::engines
