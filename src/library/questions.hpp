// Questions by their names, with options as texts: what the C interface and the Python module ask. A verb of
// the program and a question of the same name give the same numbers for the same options. `order`, `assign`
// and programs cannot be asked here yet.
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
  std::vector<std::string> without{};
  Loaded loaded;
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
  std::vector<std::string> names{};  // of all nodes, or none
  std::vector<Cable> cables{};
};
FabricPtr open(const Cabling& cabling);
FabricPtr without(const OpenFabric& fabric, const std::vector<std::string>& faults);

// A fabric and its routing. It never changes.
struct OpenRouting {
  FabricPtr fabric;  // of tables from a file: in the numbers of that file
  FabricRouter router;
  Routing routing;
};
using RoutingPtr = std::shared_ptr<const OpenRouting>;

using Texts = std::vector<std::pair<std::string, std::string>>;  // key and value; '_' is the same as '-'

// `options` are those of RoutingOptions. Throws InputError and Refused.
RoutingPtr route(const FabricPtr& fabric, const Texts& options);
// By tables that the caller made: a row for each switch, a column for each NIC, ports counted from 0, 255 for
// none; `lanes`, empty or a row for each sending NIC. Throws InputError.
RoutingPtr route(const FabricPtr& fabric, const std::string& name, std::span<const u8> ports,
                 std::span<const u8> lanes = {});
// The routing as tables: those it has, or those that its closed form gives. Throws Refused.
Routing tables(const OpenRouting& routing);

// What is asked. `fabric` is needed by all questions but size; `routing` by those of a routing.
struct Asked {
  FabricPtr fabric{};
  RoutingPtr routing{};
  FabricPtr other{};  // of diff: what was observed
  Texts options{};
  std::vector<std::string> without{};   // of fail
  std::vector<std::string> families{};  // of size
  const Job* job = nullptr;             // instead of the options traffic, ranks and placement
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
  std::string_view first{};         // the option that may be given without its key: traffic
  AnswerView (*ask)(const Asked&);  // throws InputError, Refused and Interrupted
  std::vector<OptionInfo> (*options)();
  std::vector<AnswerType> (*answers)();
};
const Registry<Question>& questions();

}  // namespace banyan::library
