// Questions by their names, with options as texts: what the C interface and the Python module ask. A verb of
// the program and a question of the same name give the same numbers for the same options. `tables` is the
// verb route; `rates` is a measure of studies. study, reproduce and serve are the program's alone.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/fabric_router.hpp"
#include "ask/situation.hpp"
#include "library/answer_view.hpp"

namespace banyan::library {

// Thrown where a question, or an engine, answers NotApplicable.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A fabric that was opened, and what it was opened as. It never changes.
struct OpenFabric {
  std::string text{};
  std::vector<std::string> without{};  // faults, in the order in which they were taken away
  Loaded loaded;
  InfinibandIds ids{};  // by the numbers of the file; of `loaded`, by those of the shape
};
using FabricPtr = std::shared_ptr<const OpenFabric>;

// Throws InputError.
FabricPtr open(const std::string& text, const std::vector<std::string>& without = {});

// A fabric from its nodes and cables: hosts 0, 1, ... first, then switches. An end that names no port takes
// the next free one of its node. A shape is looked for. Throws InputError.
struct CableEnd {
  static constexpr u32 any_port = ~u32{0};
  u32 node = 0, port = any_port;
};
struct Cable {
  CableEnd a, b;
  LinkClass link{};
};
struct Cabling {
  u32 hosts = 0, switches = 0;
  std::vector<std::string> names{};  // of hosts and switches, each another one; or none
  std::vector<Cable> cables{};
  u32 rails = 1;  // NICs of each host: rail r of host h is node r * hosts + h; switches follow
  // Where hosts differ: the NICs of each by slot, instead of `rails`. Nodes are numbered as in Endpoints: the
  // first NIC of every host, then the second of those that have one.
  std::vector<HostLabel> labels{};
};
FabricPtr open(const Cabling& cabling);
// Faults take cables of the fabric as it was read, so that this is the same as opening it without them.
FabricPtr without(const OpenFabric& fabric, const std::vector<std::string>& faults);

// A fabric and its routing. It never changes.
struct OpenRouting {
  FabricPtr fabric;  // of tables from a file: in the numbers of that file
  FabricRouter router;
  Routing routing;
  RoutingOptions by{};  // how it was asked for: who routes again where `auto` chose
};
using RoutingPtr = std::shared_ptr<const OpenRouting>;

using Texts = std::vector<std::pair<std::string, std::string>>;  // key and value; '_' is the same as '-'

// Who routes it, and the fabric in the numbers in which it is routed: tables from a file have those of that
// file. Throws InputError.
std::pair<FabricPtr, FabricRouter> router_of(const FabricPtr& fabric, const RoutingOptions& by);
// `options` are those of RoutingOptions and of the engine. Throws InputError and Refused.
RoutingPtr route(const FabricPtr& fabric, const Texts& options);
// By tables that the caller made: a row for each switch, a column for each NIC, ports counted from 0, 255 for
// none; `lanes`, empty or a row for each sending NIC. Throws InputError.
RoutingPtr route(const FabricPtr& fabric, const std::string& name, std::span<const u8> ports,
                 std::span<const u8> lanes = {});
// The routing as tables: those it has, or those that its closed form gives. Throws Refused.
Routing tables(const OpenRouting& routing);

// What is asked of what, and how.
struct Asked {
  FabricPtr fabric{};
  RoutingPtr routing{};      // brings its own fabric
  FabricPtr other{};         // of diff: what was observed
  Texts options{};           // without and family may be given several times
  const Job* job = nullptr;  // instead of the options traffic, ranks and placement
  Progress::Screen screen{};
};

struct AnswerType {
  std::string name;
  std::vector<FieldInfo> fields;
};
struct Question {
  enum class Of : u8 { nothing, fabric, two_fabrics, routing };
  std::string_view name, summary;
  Of of;
  std::string_view first{};  // the option that may be given without its key: traffic
  AnswerView (*answer)(const Asked&);
  std::vector<OptionInfo> (*options)();
  std::vector<AnswerType> (*answers)();
};
const Registry<Question>& questions();

// Throws InputError, also where what the question is asked of is missing; Refused and Interrupted.
AnswerView ask(std::string_view question, Asked asked);

}  // namespace banyan::library
