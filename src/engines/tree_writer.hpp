// Writes trees of channels towards destinations into tables, host cables included. `lash` and `nue` use it.
#pragma once
#include "engines/backbone.hpp"

namespace banyan::engines {

class TreeWriter {
 public:
  TreeWriter(const Fabric& fabric, const Backbone& backbone, u32 lmc);

  // exits: by switch, the channel it takes, or `nothing` at the leaves of the destination. distances: by
  // switch, the channels left to a leaf, or `nothing` where there is no way. A NIC with several cables uses
  // the nearest, in turn.
  void write(Address to, const IdVector<Switch, SwitchChannel>& exits,
             const IdVector<Switch, u32>& distances);

  const Tables& tables() const { return tables_; }
  Tables take() && { return std::move(tables_); }

 private:
  void write_leaves(Address to);
  void write_nics(Address to, const IdVector<Switch, u32>& distances);

  const Backbone& b_;
  u32 nics_, lmc_;
  Tables tables_;
  std::vector<u32> down_, up_;  // by plug: addresses that use it
};

}  // namespace banyan::engines
