// How a fabric is routed: by an engine, by the best static engine that applies (`auto`), or by forwarding
// tables that were read from a file. The program opens every routed fabric here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer_head.hpp"
#include "engines/engine.hpp"
#include "formats/load.hpp"
#include "routing/reasons.hpp"

namespace banyan::ask {

struct RoutingOptions {
  std::string engine = "auto";
  u32 paths = 0;
  u64 seed = 1;
  FilePath tables{}, lids{}, service_levels{}, choice{}, addresses{};

  static void fields(auto& self, auto&& f) {
    f("engine", self.engine,
      "routing engine, such as dmodk or disjoint:paths=4 ('banyan engines' lists them); auto takes the best "
      "static engine that applies");
    f("paths", self.paths, "paths of each pair, for engines that have several; 0: the engine's default");
    f("seed", self.seed, "seed of everything that is drawn: paths, traffic, placement");
    f("tables", self.tables,
      "forwarding tables instead of an engine: opensm-lfts.dump, the output of dump_lfts, the folder that "
      "route --out wrote, or a folder with a file NAME.json for each Ethernet switch: FRR's show ip route "
      "json, "
      "or SONiC's ROUTE_TABLE");
    f("lids", self.lids,
      "LIDs of the tables: guid2lid or opensm-subnet.lst; without it, the comments in the tables");
    f("service-levels", self.service_levels,
      "lanes of the tables, as ibdmchk -c reads them; without it, the file of that name beside the tables");
    f("choice", self.choice,
      "which address of the tables a message takes; without it, the file address-choice beside the tables");
    f("addresses", self.addresses,
      "of Ethernet tables: addresses of hosts, as /etc/hosts has them; without it, the file addresses among "
      "the "
      "tables, or what the switches of the hosts say");
  }
};

// What studies write in their list of engines: an engine of 'banyan engines', `auto`, or `tables:FILE`.
struct TablesOptions {
  FilePath file{}, lids{}, service_levels{}, choice{}, addresses{};

  static void fields(auto& self, auto&& f) {
    f("file", self.file, "forwarding tables, as --tables takes them");
    f("lids", self.lids, "LIDs of the tables");
    f("service-levels", self.service_levels, "lanes of the tables");
    f("choice", self.choice, "which address of the tables a message takes");
    f("addresses", self.addresses, "of Ethernet tables: addresses of hosts");
  }
};
PluginText bind_router(std::string_view text);                  // throws InputError
std::vector<OptionInfo> router_options(std::string_view name);  // of what bind_router() knows

// Routes topologies that have the same nodes and ports, such as a fabric before and after cables failed.
struct FabricRouter {
  PluginText engine{};              // with known name and keys
  std::optional<Routing> tables{};  // instead of the engine; they stay the same when cables fail
  std::string name{};               // the engine as it was given, or chosen; or the file of the tables
  bool is_chosen = false;           // the engine, by `auto`

  u64 seed() const;       // of what the engine draws; 0: it draws nothing
  Digits digits() const;  // of hosts, that the engine looks at
  // The reason of an engine that does not apply names one that does.
  RouteResult route(const Topology& topology) const;
  // The same as route(after); by less work where the engine can start from the routing before.
  RouteResult reroute(const Routing& routing, const Topology& before, const Topology& after) const;
  AnswerHead head() const;  // by what it was routed, and with which seed
};

// `auto` chooses for this topology. Throws InputError for an engine or options that are not known.
FabricRouter router(const RoutingOptions& options, const Topology& topology);

struct RoutedFabric {
  Loaded loaded;
  FabricRouter router;
  RouteResult result;
  std::vector<std::string> remarks{};  // files that were used without being named; options without effect
};

// Tables are read in the numbers of the fabric as it was found, since they may use any of its ports: no shape
// is looked for. Throws InputError.
RoutedFabric open_routed(const std::string& fabric, const std::vector<std::string>& without,
                         const RoutingOptions& options);
// The tables in the numbers of a fabric that was loaded, which may be those of a shape, by the names of nodes
// and the labels of ports; entries for what the fabric lacks lead nowhere. For comparisons with an engine, of
// tables that open_routed() has read.
Routing tables_on(const Loaded& loaded, const RoutingOptions& options);
// The same as open_routed() for tables as bind_router() knows them.
RoutedFabric open_tables(const std::string& fabric, const std::vector<std::string>& without,
                         const PluginText& tables);

}  // namespace banyan::ask
