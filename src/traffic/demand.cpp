// Demands from a file.
#include <optional>

#include "base/file.hpp"
#include "fabric/names.hpp"
#include "traffic/demand_file.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct DemandOptions {
  FilePath file;
  static void fields(auto& self, auto&& f) {
    f("file", self.file, "CSV, Matrix Market, a 0..255 profile, or lines of hosts");
  }
};

Traffic demand(const PatternSetting& setting, const DemandOptions& options) {
  if (options.file.empty()) throw InputError("demand: expected a file, as in demand:profile.csv");
  std::ifstream in = open_input(options.file);
  const Fabric& fabric = setting.topology.fabric;
  std::optional<NameIndex> nodes;
  DemandFile file = read_demands(in, options.file, [&](const std::string& name) -> std::optional<u32> {
    if (!nodes) nodes.emplace(fabric);
    const auto node = nodes->find(name);
    if (!node || fabric.is_switch(*node)) return std::nullopt;
    return index(fabric.host(fabric.nic(*node)));
  });
  if (file.ranks > setting.ranks)
    throw InputError(Place{options.file, 0}, fmt::format("found {} ranks, expected at most the {} there are",
                                                         file.ranks, setting.ranks));
  const u64 rounds = file.round_end.size();
  const bool in_bytes = file.in_bytes;
  auto list = [file = std::move(file)](u64, u64, u64 round, std::vector<Demand>& out) {
    const auto place = [&](u64 r) {
      return file.demands.begin() + static_cast<std::ptrdiff_t>(r == 0 ? 0 : file.round_end[r - 1]);
    };
    out.insert(out.end(), place(round), place(round + 1));
  };
  return {.ranks = setting.ranks, .list = std::move(list), .rounds = rounds, .in_bytes = in_bytes};
}

}  // namespace

Pattern demand_pattern() { return make_pattern<demand>("demand", "domke19", "what a file says"); }

}  // namespace banyan::traffic
