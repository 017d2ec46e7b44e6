// Writes trees of channels to destinations into tables, host cables included.
#pragma once
#include "engines/backbone.hpp"

namespace banyan::engines {

class TreeWriter {
 public:
  TreeWriter(const Fabric& fabric, const Backbone& backbone, u32 lmc);

  // By switch: the channel it takes, none at the leaves of the destination; and how many channels are left
  // to a leaf, nothing where there is no way. Where NICs have several cables the nearest is taken, in turn.
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
