// Chakra's execution traces as JSON: one object for each rank, with its nodes as chakra.cpp has them.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/counted_text.hpp"
#include "base/print.hpp"
#include "traffic/programs/chakra.hpp"
#include "traffic/programs/chakra_nodes.hpp"

namespace banyan::traffic {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 8> node_types = {"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                                        "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                                        "COMM_RECV_NODE", "COMM_COLL_NODE"};

// protobuf writes long numbers as texts.
std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_string()) return std::nullopt;
  const std::string text = value.get<std::string>();
  const Json inner = Json::parse(text, nullptr, false);
  return inner.is_number() ? std::optional(inner.get<double>()) : std::nullopt;
}

// The names of protobuf's fields, or those of its JSON.
const Json* member(const Json& object, const char* name, const char* camel) {
  const auto found = object.find(name), other = object.find(camel);
  return found != object.end() ? &*found : other != object.end() ? &*other : nullptr;
}

struct ReadJson {
  Json json;
  std::vector<u32> lines;  // by node
};

// Throws InputError with the line where it is no JSON.
ReadJson read_json(const ChakraSource& source) {
  ReadJson out;
  u64 line = 1;
  bool in_nodes = false;
  const auto note = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) in_nodes = parsed == "nodes" || parsed == "node";
    if (depth == 2 && event == Json::parse_event_t::object_start && in_nodes)
      out.lines.push_back(static_cast<u32>(line));
    return true;
  };
  try {
    out.json = Json::parse(CountedText(source.in.rdbuf(), &line), CountedText(), note);
  } catch (const Json::parse_error&) {
    throw InputError(Place{source.file, line}, "found what is no JSON, expected a Chakra trace with nodes");
  }
  return out;
}

class JsonNodes {
 public:
  explicit JsonNodes(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& what, u32 line = 0) const {
    throw InputError(Place{file_, line}, what);
  }

  u64 whole(const Json* value, const char* what) const {
    const auto found = value ? number_in(*value) : std::nullopt;
    if (!found || *found < 0 || *found > 9e15) fail(fmt::format("found no whole number for {}", what));
    return static_cast<u64>(*found);
  }

  ChakraNode read(const Json& json, u32 line) const {
    if (!json.is_object()) fail("found a node that is no object");
    ChakraNode out;
    out.line = line;
    out.id = whole(member(json, "id", "id"), "the id of a node");
    out.type = type(json);
    for (const auto& [name, camel] : {std::pair("ctrl_deps", "ctrlDeps"), std::pair("data_deps", "dataDeps")})
      if (const Json* list = member(json, name, camel); list && list->is_array())
        for (const Json& earlier : *list) out.after.push_back(whole(&earlier, "a dependency"));
    if (const Json* micros = member(json, "duration_micros", "durationMicros"))
      out.micros = whole(micros, "duration_micros");
    if (const Json* attributes = member(json, "attr", "attr"); attributes && attributes->is_array())
      for (const Json& attribute : *attributes) set(attribute, out);
    return out;
  }

  // Of the metadata: how many ranks there are; 0: it does not say.
  u32 ranks(const Json& metadata) const {
    ChakraNode out;
    if (metadata.is_object())
      if (const Json* attributes = member(metadata, "attr", "attr"); attributes && attributes->is_array())
        for (const Json& attribute : *attributes)
          if (attribute.is_object() && attribute.value("name", Json()) == "num_ranks")
            if (const auto value = value_of(attribute); value && *value >= 1 && *value <= 1 << 24)
              return static_cast<u32>(*value);
    return 0;
  }

 private:
  u32 type(const Json& json) const {
    const Json* found = member(json, "type", "type");
    if (found && found->is_string())
      for (u32 i = 0; i < node_types.size(); ++i)
        if (node_types[i] == found->get<std::string>()) return i;
    if (found && found->is_number_unsigned()) return found->get<u32>();
    fail("found a node without a type that is known");
  }

  // Of an attribute: the one value that is not its name.
  static std::optional<double> value_of(const Json& attribute) {
    for (const auto& [key, value] : attribute.items())
      if (key != "name" && key != "doc_string" && key != "docString")
        if (const auto number = number_in(value)) return number;
    return std::nullopt;
  }

  void set(const Json& attribute, ChakraNode& out) const {
    if (!attribute.is_object()) fail("found an attribute that is no object");
    const Json* name = member(attribute, "name", "name");
    if (!name || !name->is_string()) fail("found an attribute without a name");
    if (*name == "start_deps") {
      if (const Json* list = member(attribute, "uint64_list", "uint64List"); list && list->is_object())
        if (const Json* values = member(*list, "values", "values"); values && values->is_array())
          for (const Json& earlier : *values) out.after_begin.push_back(whole(&earlier, "a dependency"));
    } else if (const Json* text = member(attribute, "string_val", "stringVal"); text && text->is_string()) {
      out.set(name->get<std::string>(), text->get<std::string>());
    } else if (const auto value = value_of(attribute)) {
      out.set(name->get<std::string>(), *value);
    }
  }

  std::string file_;
};

Json attribute_json(std::string_view name, const char* kind, Json value) {
  return {{"name", name}, {kind, std::move(value)}};
}

Json node_json(const ChakraNode& node) {
  Json attributes = Json::array();
  ChakraNode::numbers(node, [&](std::string_view name, const std::optional<u64>& value) {
    if (value) attributes.push_back(attribute_json(name, "int64_val", *value));
  });
  if (node.seconds) attributes.push_back(attribute_json("duration_seconds", "double_val", *node.seconds));
  if (!node.after_begin.empty())
    attributes.push_back(attribute_json("start_deps", "uint64_list", {{"values", node.after_begin}}));
  Json out = {{"id", node.id}, {"name", node.name}, {"type", node_types[node.type]}, {"attr", attributes}};
  if (!node.after.empty()) out["data_deps"] = node.after;
  if (node.micros > 0) out["duration_micros"] = node.micros;
  return out;
}

}  // namespace

Program read_chakra_json(std::span<const ChakraSource> sources) {
  std::optional<ChakraProgram> program;
  for (u32 rank = 0; rank < sources.size(); ++rank) {
    const JsonNodes nodes(sources[rank].file);
    const auto [json, lines] = read_json(sources[rank]);
    if (!json.is_object()) nodes.fail("found no JSON object, expected a Chakra trace with nodes");
    const Json* metadata = member(json, "global_metadata", "globalMetadata");
    const Json* list = member(json, "nodes", "node");
    if (!list || !list->is_array()) nodes.fail("found no list 'nodes', expected a Chakra trace");
    const u32 ranks = metadata ? nodes.ranks(*metadata) : 0;
    if (!program)
      program.emplace(sources.size() == 1 && ranks > 0 ? ranks : static_cast<u32>(sources.size()));
    program->begin_file(sources[rank].file, rank);
    for (std::size_t i = 0; i < list->size(); ++i)
      program->add(nodes.read((*list)[i], i < lines.size() ? lines[i] : 0));
    program->end_file();
  }
  return program->take(chakra_name(sources));
}

// Node by node: the whole is never in memory.
void write_chakra_json(std::ostream& out, const Program& program) {
  const Json metadata = {{"version", "0.0.4"},
                         {"attr", {attribute_json("num_ranks", "int64_val", program.ranks)}}};
  base::print(out, "{{\"global_metadata\": {},\n\"nodes\": [", metadata.dump());
  bool is_first = true;
  each_chakra_node(program, [&](const ChakraNode& node) {
    base::print(out, "{}\n{}", is_first ? "" : ",", node_json(node).dump());
    is_first = false;
  });
  base::print(out, "\n]}}\n");
}

}  // namespace banyan::traffic
