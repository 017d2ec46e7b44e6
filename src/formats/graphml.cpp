// GraphML, for graph tools. Nodes have kind (host or switch), ports, host and rail; edges have source_port,
// target_port, capacity and latency. Other data is for others and is not read.
#include <expat.h>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <istream>
#include <map>
#include <memory>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/attributes.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

constexpr std::size_t longest_text = 1 << 20, max_keys = 1 << 12;
constexpr int deepest_element = 64;

// Receives the events of the parser; an error is kept until the parser can be left.
class GraphmlReader {
 public:
  GraphmlReader(std::istream& in, const std::string& file) : in_(in), raw_(file) {}
  FabricFile run() &&;

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  u64 line() const { return XML_GetCurrentLineNumber(parser_.get()); }
  template <class F>
  static void guarded(void* self, F&& f) {
    GraphmlReader& reader = *static_cast<GraphmlReader*>(self);
    if (reader.error_) return;
    try {
      f(reader);
    } catch (...) {
      reader.error_ = std::current_exception();
      XML_StopParser(reader.parser_.get(), XML_FALSE);
    }
  }
  void start(std::string_view name, const char** attributes);
  void end(std::string_view name);
  std::string attribute(const char** attributes, std::string_view wanted, bool needed) const;
  void parse();

  std::istream& in_;
  RawFabric raw_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::exception_ptr error_;
  std::map<std::string, std::string> keys_;  // what the file calls an attribute -> its name
  int depth_ = 0, graphs_ = 0;
  enum class Within { nothing, node, edge } within_ = Within::nothing;
  u32 node_ = 0, source_ = 0, target_ = 0;
  Attributes attributes_;
  bool in_data_ = false;
  std::string data_key_, text_;
};

std::string GraphmlReader::attribute(const char** attributes, std::string_view wanted, bool needed) const {
  for (; *attributes; attributes += 2)
    if (attributes[0] == wanted) return attributes[1];
  if (needed) raw_.fail(line(), fmt::format("found an element without '{}', expected one", wanted));
  return "";
}

void GraphmlReader::start(std::string_view name, const char** attributes) {
  if (++depth_ > deepest_element) raw_.fail(line(), fmt::format("found elements nested {} deep", depth_));
  if (depth_ == 1 && name != "graphml")
    raw_.fail(line(), fmt::format("found <{}>, expected <graphml>", name));
  if (name == "key") {
    if (keys_.size() == max_keys) raw_.fail(line(), "found too many <key> elements");
    keys_[attribute(attributes, "id", true)] = attribute(attributes, "attr.name", false);
  } else if (name == "graph") {
    if (++graphs_ > 1) raw_.fail(line(), "found a second <graph>, expected one");
  } else if (name == "node" || name == "edge") {
    if (graphs_ == 0 || within_ != Within::nothing)
      raw_.fail(line(), fmt::format("found <{}> in the wrong place, expected it in <graph>", name));
    attributes_ = {};
    within_ = name == "node" ? Within::node : Within::edge;
    if (within_ == Within::node)
      node_ = raw_.define(attribute(attributes, "id", true), line());
    else
      source_ = raw_.mention(attribute(attributes, "source", true), line()),
      target_ = raw_.mention(attribute(attributes, "target", true), line());
  } else if (name == "hyperedge") {
    raw_.fail(line(), "found <hyperedge>, expected cables with two ends");
  } else if (name == "data" && within_ != Within::nothing) {
    in_data_ = true;
    data_key_ = attribute(attributes, "key", true);
    text_.clear();
  }
}

void GraphmlReader::end(std::string_view name) {
  --depth_;
  if (name == "data" && in_data_) {
    in_data_ = false;
    const auto known = keys_.find(data_key_);
    attributes_.set(known != keys_.end() && !known->second.empty() ? known->second : data_key_, text_);
  } else if (name == "node" && within_ == Within::node) {
    attributes_.describe(raw_, raw_.nodes[node_], line());
    within_ = Within::nothing;
  } else if (name == "edge" && within_ == Within::edge) {
    raw_.cables.push_back(attributes_.cable(raw_, source_, target_, line()));
    within_ = Within::nothing;
  }
}

void GraphmlReader::parse() {
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(
      parser_.get(),
      [](void* self, const char* name, const char** attributes) {
        guarded(self, [&](GraphmlReader& r) { r.start(name, attributes); });
      },
      [](void* self, const char* name) { guarded(self, [&](GraphmlReader& r) { r.end(name); }); });
  XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
    guarded(self, [&](GraphmlReader& r) {
      if (!r.in_data_) return;
      r.text_.append(text, static_cast<std::size_t>(size));
      if (r.text_.size() > longest_text) r.raw_.fail(r.line(), "found a text of more than a megabyte");
    });
  });
  XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char*, const char*, const char*, int) {
    guarded(self, [](GraphmlReader& r) { r.raw_.fail(r.line(), "found a document type, expected none"); });
  });
  std::vector<char> chunk(1 << 16);
  for (bool last = false; !last;) {
    in_.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    last = !in_;
    const auto status = XML_Parse(parser_.get(), chunk.data(), static_cast<int>(in_.gcount()), last);
    if (error_) std::rethrow_exception(error_);
    if (status != XML_STATUS_OK)
      raw_.fail(line(), fmt::format("{}, expected well-formed XML",
                                    XML_ErrorString(XML_GetErrorCode(parser_.get()))));
  }
}

FabricFile GraphmlReader::run() && {
  parser_.reset(XML_ParserCreate(nullptr));
  if (!parser_) throw std::bad_alloc();
  parse();
  return to_fabric(std::move(raw_));
}

// --- writing
// -------------------------------------------------------------------------------------------------

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

void write_graphml(const FabricFile& file, std::ostream& out) {
  const Fabric& fabric = file.topology.fabric;
  const IdRange<Nic> nics(tells_nics(fabric) ? fabric.nics() : 0);
  const bool has_slots = std::ranges::any_of(nics, [&](Nic nic) { return !fabric.rail(nic); });
  const char* const rail_type = has_slots ? "string" : "int";
  const char* const port_type = fabric.has_port_texts() ? "string" : "int";
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
         "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (auto [element, name, type] : {std::array{"node", "kind", "string"},
                                     {"node", "ports", "int"},
                                     {"node", "host", "string"},
                                     {"node", "rail", rail_type},
                                     {"edge", "source_port", port_type},
                                     {"edge", "target_port", port_type},
                                     {"edge", "capacity", file.unit.value > 0 ? "string" : "double"},
                                     {"edge", "latency", "double"}})
    base::print(out, "<key id=\"{1}\" for=\"{0}\" attr.name=\"{1}\" attr.type=\"{2}\"/>\n", element, name,
                type);
  out << "<graph edgedefault=\"undirected\">\n";
  const auto data = [&](std::string_view key, const auto& value) {
    base::print(out, "<data key=\"{}\">{}</data>", key, value);
  };
  for (Node v : fabric.nodes()) {
    base::print(out, "<node id=\"{}\">", escaped(fabric.name(v)));
    data("kind", kind_text(fabric, v));
    data("ports", printed_ports(fabric, v));
    if (!fabric.is_switch(v) && tells_nics(fabric)) {
      data("host", escaped(fabric.host_name(fabric.host(fabric.nic(v)))));
      data("rail", nic_text(fabric, fabric.nic(v)));
    }
    out << "</node>\n";
  }
  fabric.each_link([&](const Link& link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    base::print(out, "<edge source=\"{}\" target=\"{}\">", escaped(fabric.name(a)), escaped(fabric.name(b)));
    data("source_port", escaped(fabric.port_label(link.a)));
    data("target_port", escaped(fabric.port_label(link.b)));
    data("capacity", capacity_text(fabric.link_class(link.a).capacity, file.unit));
    data("latency", fabric.link_class(link.a).latency);
    out << "</edge>\n";
  });
  out << "</graph>\n</graphml>\n";
}

}  // namespace

Format graphml_format() {
  return {
      "graphml",
      {".graphml", ".xml"},
      "GraphML, for graph tools",
      [](std::string_view head) { return trim(head).starts_with('<') || head.starts_with("\xef\xbb\xbf<"); },
      [](std::istream& in, const std::string& file) { return GraphmlReader(in, file).run(); },
      write_graphml,
      true};
}

}  // namespace banyan::formats
