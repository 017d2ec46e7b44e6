// Where the nodes of a fabric stand on a sheet, and which groups they form.
#pragma once
#include "ask/situation.hpp"
#include "formats/load.hpp"
#include "topology/map/fabric_map.hpp"

namespace banyan::ask {

struct DrawAnswer {
  std::string notation{};
  FabricMap map{};
  MapData data{};

  static void fields(auto& self, auto&& f) {
    f("notation", self.notation, "", "canonical notation; empty for an irregular fabric");
    MapData::fields(self.data, f);
  }
};
DrawAnswer draw(const Situation& at, const NoOptions&);

// Counts the hosts and switches that were read, as describe does. What is drawn is the shape: it also has a
// place for a node that was not seen.
DrawAnswer draw_loaded(const Loaded& loaded);

}  // namespace banyan::ask
