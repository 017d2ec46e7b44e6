#include "ask/fabric_router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"
#include "fabric/faults.hpp"
#include "formats/address_choice_file.hpp"
#include "formats/next_hop_tables.hpp"
#include "formats/opensm_lanes.hpp"
#include "formats/opensm_tables.hpp"

namespace banyan::ask {
namespace {

bool knows(const PluginText& engine, std::string_view key) {
  const auto is_key = [&](const OptionInfo& option) { return option.key == key; };
  const auto& known = engines::engines().at(engine.name).options;
  return std::any_of(known.begin(), known.end(), is_key);
}

bool gives(const PluginText& engine, std::string_view key) {
  const auto is_key = [&](const auto& option) { return option.first == key; };
  return std::any_of(engine.options.begin(), engine.options.end(), is_key);
}

void refuse_without_tables(std::string_view option, const FilePath& file) {
  if (!file.empty()) throw InputError(fmt::format("--{} is about --tables, which is missing", option));
}

// A file that belongs to the tables: the one that was named, or the one that `route --out` wrote beside them.
void add_file(std::vector<std::string>& remarks, const FilePath& named, const FilePath& tables,
              const std::string& otherwise, std::string_view what, auto&& read) {
  const std::string beside = std::filesystem::path(tables.path).replace_filename(otherwise).string();
  const std::string& file = named.empty() ? beside : named.path;
  std::error_code ignored;
  if (named.empty() && !std::filesystem::is_regular_file(beside, ignored)) return;
  std::ifstream in = open_input(file);
  if (named.empty()) remarks.push_back(fmt::format("{} from {}", what, file));
  read(in, file);
}

// A folder stands for the tables in it, as `route --out` and OpenSM's dump name them, or as ibroute prints
// them, a file for each switch.
std::vector<std::string> table_files(const FilePath& given) {
  std::error_code ignored;
  if (!input_exists(given.path) || !std::filesystem::is_directory(given.path, ignored)) return {given.path};
  for (const char* name : {"lfts", "opensm-lfts.dump"})
    if (const auto file = std::filesystem::path(given.path) / name;
        std::filesystem::is_regular_file(file, ignored))
      return {file.string()};
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(given.path))
    if (entry.is_regular_file(ignored) && holds_lfts(entry.path().string()))
      out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  if (out.empty())
    throw InputError(
        fmt::format("{}: found a folder without tables, expected lfts or opensm-lfts.dump in it, a file of "
                    "ibroute for each switch, or a file NAME.json for each Ethernet switch",
                    given.path));
  return out;
}

struct Tabled {
  Routing routing;
  std::vector<std::string> remarks;  // files that were used without being named, and what the files lack
  std::string name{};                // of the file, or of the folder where there are several
};

// Queue pairs and their hash are those of the engine ecmp.
Tabled read_next_hop_folder(const Topology& topology, const RoutingOptions& options) {
  NextHopsRead read = read_next_hops(options.tables.path, topology.fabric, options.addresses.path);
  RouteResult by_hash = engines::route(
      topology, fmt::format("ecmp:paths={},seed={}", std::max(1u, options.paths), options.seed));
  Routing& routing = std::get<Routing>(by_hash);
  routing.forward = HashedNextHops(std::move(read.sets));
  return {std::move(routing), std::move(read.remarks)};
}

// With lanes and the choice of addresses.
Tabled read_infiniband_tables(const Fabric& fabric, const InfinibandIds& ids, const RoutingOptions& options,
                              Unknown unknown) {
  const std::vector<std::string> files = table_files(options.tables);
  const auto lids = options.lids.empty() ? std::nullopt : std::optional(open_lids(options.lids));
  TablesRead read = read_lft_files(files, fabric, ids, lids, unknown);
  std::vector<std::string> remarks = std::move(read.remarks);
  add_file(remarks, options.service_levels, {files.front()}, "service-levels", "lanes",
           [&](std::istream& from, const std::string& file) {
             read_service_levels(from, file, read.subnet, read.routing);
           });
  add_file(remarks, options.choice, {files.front()}, "address-choice", "the choice of addresses",
           [&](std::istream& from, const std::string& file) {
             read_address_choice(from, file, read.subnet, read.routing);
           });
  return {std::move(read.routing), std::move(remarks),
          files.size() == 1 ? files.front() : options.tables.path};
}

// Of Ethernet switches.
RoutedFabric with_next_hops(const std::string& fabric, const std::vector<std::string>& without,
                            const RoutingOptions& options) {
  for (const auto& [key, file] : {std::pair("lids", options.lids), std::pair("choice", options.choice),
                                  std::pair("service-levels", options.service_levels)})
    if (!file.empty()) throw InputError(fmt::format("--{} is about tables of InfiniBand", key));
  Loaded found = load_fabric(fabric, {});
  auto [routing, remarks, _] = read_next_hop_folder(found.topology, options);
  RoutedFabric out{.loaded = std::move(found),
                   .router = {.name = options.tables.path},
                   .result = NotApplicable{},
                   .remarks = std::move(remarks)};
  Fabric& whole = out.loaded.topology.fabric;
  out.router.tables = routing;
  out.result = std::move(routing);
  whole = fabric::without(whole, without);
  return out;
}

RoutedFabric with_tables(const std::string& fabric, const std::vector<std::string>& without,
                         const RoutingOptions& options) {
  if (options.engine != RoutingOptions{}.engine)
    throw InputError("--tables and --engine: expected one of them");
  if (is_next_hop_folder(options.tables.path)) return with_next_hops(fabric, without, options);
  if (!options.addresses.empty()) throw InputError("--addresses is about tables of Ethernet switches");
  // In the numbers that engines would use, so that both see the same traffic.
  Loaded found = load_fabric(fabric, {});
  auto [routing, remarks, name] =
      read_infiniband_tables(found.topology.fabric, found.ids, options, Unknown::refused);
  found.topology.fabric = fabric::without(found.topology.fabric, without);  // the files know it whole
  return {.loaded = std::move(found),
          .router = {.tables = routing, .name = std::move(name)},
          .result = routing,
          .remarks = std::move(remarks)};
}

}  // namespace

Routing tables_on(const Loaded& loaded, const RoutingOptions& options) {
  if (is_next_hop_folder(options.tables.path)) return read_next_hop_folder(loaded.topology, options).routing;
  return read_infiniband_tables(loaded.topology.fabric, loaded.ids, options, Unknown::ignored).routing;
}

PluginText bind_router(std::string_view text) {
  PluginText out = parse_plugin(text);
  if (out.name == "auto" || out.name == "tables") return with_known_keys(out, router_options(out.name));
  return engines::bind_engine(text);
}

std::vector<OptionInfo> router_options(std::string_view name) {
  if (name == "auto") return {};
  return name == "tables" ? option_infos<TablesOptions>() : engines::engines().at(name).options;
}

u64 FabricRouter::seed() const {
  if (tables) return 0;
  for (const auto& [key, value] : engine.options)
    if (key == "seed") return parse_unsigned(value).value_or(0);
  return 0;
}

Digits FabricRouter::digits() const {
  return engine.name == "dmodk"   ? Digits::of_destination
         : engine.name == "smodk" ? Digits::of_source
                                  : Digits::unknown;
}

RouteResult FabricRouter::route(const Topology& topology) const {
  if (tables) return *tables;
  RouteResult out = engines::route(topology, engine);
  if (auto* reason = std::get_if<NotApplicable>(&out))
    if (const std::string other = engines::best_static(topology); other != engine.name)
      reason->why += fmt::format("; --engine {} routes this fabric", quoted_for_shell(other));
  return out;
}

RouteResult FabricRouter::reroute(const Routing& routing, const Topology& before,
                                  const Topology& after) const {
  return tables ? RouteResult(*tables) : engines::reroute(routing, before, after, engine);
}

AnswerHead FabricRouter::head() const {
  AnswerHead out{.seed = seed()};
  (tables ? out.tables : out.engine) = name;
  return out;
}

namespace {

// Why an option of the routing changes nothing.
std::vector<std::string> without_effect(const RoutingOptions& options, const FabricRouter& router) {
  if (options.paths < 2 || knows(router.engine, "paths")) return {};
  return {fmt::format("--paths {} changes nothing: {} has no option for several paths", options.paths,
                      router.engine.name)};
}

}  // namespace

FabricRouter router(const RoutingOptions& options, const Topology& topology) {
  refuse_without_tables("lids", options.lids);
  refuse_without_tables("service-levels", options.service_levels);
  refuse_without_tables("choice", options.choice);
  refuse_without_tables("addresses", options.addresses);
  FabricRouter out;
  out.is_chosen = options.engine == RoutingOptions{}.engine;
  out.name = out.is_chosen ? engines::best_static(topology) : options.engine;
  out.engine = engines::bind_engine(out.name);
  if (options.paths > 0 && knows(out.engine, "paths")) out.engine.set("paths", std::to_string(options.paths));
  if (knows(out.engine, "seed") && !gives(out.engine, "seed"))
    out.engine.set("seed", std::to_string(options.seed));
  return out;
}

RoutedFabric open_tables(const std::string& fabric, const std::vector<std::string>& without,
                         const PluginText& tables) {
  const auto [file, lids, levels, choice, addresses] = read_options<TablesOptions>(tables);
  if (file.empty()) throw InputError("tables: expected tables:FILE");
  RoutingOptions options;
  options.tables = file, options.lids = lids, options.service_levels = levels, options.choice = choice;
  options.addresses = addresses;
  return with_tables(fabric, without, options);
}

RoutedFabric open_routed(const std::string& fabric, const std::vector<std::string>& without,
                         const RoutingOptions& options) {
  if (!options.tables.empty()) return with_tables(fabric, without, options);
  RoutedFabric out{load_fabric(fabric, without), {}, NotApplicable{}};
  out.router = router(options, out.loaded.topology);
  out.remarks = without_effect(options, out.router);
  out.result = out.router.route(out.loaded.topology);
  return out;
}

}  // namespace banyan::ask
