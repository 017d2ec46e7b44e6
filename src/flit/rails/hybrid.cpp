// Hybrid allocation (Coll et al. 2001, Algorithm 5): messages up to a threshold go out on one free rail
// without asking, longer ones as the dynamic policy sends them.
#include "flit/rails/reservation.hpp"

namespace banyan::flit {
namespace {

struct HybridOptions {
  u64 threshold = 16384;
  static void fields(auto& self, auto&& f) {
    f("threshold", self.threshold, "bytes up to which a message is sent without asking");
  }
};

void prepare_hybrid(const PluginText& text, RailRules& rules) {
  rules.threshold = read_options<HybridOptions>(text).threshold;
}

}  // namespace

RailPolicy hybrid_rail_policy() {
  return reserving({.name = "hybrid",
                    .summary = "short messages at once, long ones as dynamic",
                    .source = "Coll et al. 2001, Algorithm 5",
                    .options = option_infos<HybridOptions>(),
                    .prepare = prepare_hybrid});
}

}  // namespace banyan::flit
