// GML, the Graph Modelling Language, as networkx, igraph and the Topology Zoo write it: `graph [ node [ id 0
// label "a" ] edge [ source 0 target 1 ] ]`. Other keys are for others.
#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

constexpr int deepest = 64;

class GmlReader {
 public:
  GmlReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {}

  FabricFile run() && {
    read_list("", 0);
    if (raw_.cables.empty()) lines_.fail("found no edge, expected some");
    return to_fabric(std::move(raw_));
  }

 private:
  // What a node or an edge says of itself.
  struct Said {
    std::optional<std::string> id, label, source, target;
    u64 line = 0;
  };

  std::optional<std::string> word();  // the next word, without quotes; nothing at the end of the file
  void read_list(const std::string& of, int depth);
  void take(const std::string& kind, const Said& said);

  LineReader lines_;
  RawFabric raw_;
  std::string_view rest_;
  bool is_quoted_ = false;  // the last word
  Said said_;               // of the node or edge that is read
};

std::optional<std::string> GmlReader::word() {
  for (rest_ = trim(rest_); rest_.empty() || rest_.starts_with('#'); rest_ = trim(rest_)) {
    if (!lines_.next()) return std::nullopt;
    rest_ = lines_.line();
  }
  is_quoted_ = rest_.starts_with('"');
  std::string out;
  if (!is_quoted_) {
    out = rest_.substr(0, rest_[0] == '[' || rest_[0] == ']' ? 1 : rest_.find_first_of(" \t[]"));
    rest_.remove_prefix(out.size());
    return out;
  }
  rest_.remove_prefix(1);
  while (rest_.find('"') == rest_.npos) {
    out += std::string(rest_) + ' ';
    if (out.size() > (1u << 20) || !lines_.next()) lines_.fail("found a text without an end, expected '\"'");
    rest_ = lines_.line();
  }
  out += rest_.substr(0, rest_.find('"'));
  rest_.remove_prefix(rest_.find('"') + 1);
  return out;
}

// Pairs of a key and a value up to the bracket that closes the list, or the end of the file.
void GmlReader::read_list(const std::string& of, int depth) {
  if (depth > deepest) lines_.fail(fmt::format("found lists nested {} deep", depth));
  for (std::optional<std::string> key = word(); key; key = word()) {
    if (*key == "]" && !is_quoted_) {
      if (depth == 0) lines_.fail("found ']' without '['");
      return take(of, said_);
    }
    std::optional<std::string> value = word();
    if (!value) lines_.fail(fmt::format("found nothing behind {}, expected a value", shown(*key)));
    if (*value == "[" && !is_quoted_) {
      const std::string inner = lower(*key);
      if (depth == 1 && (inner == "node" || inner == "edge")) said_ = {}, said_.line = lines_.number();
      read_list(depth == 1 ? inner : "", depth + 1);
      continue;
    }
    const std::string name = depth == 2 ? lower(*key) : "";
    if (name == "id")
      said_.id = std::move(value);
    else if (name == "label")
      said_.label = std::move(value);
    else if (name == "source")
      said_.source = std::move(value);
    else if (name == "target")
      said_.target = std::move(value);
  }
  if (depth > 0) lines_.fail("found the end of the file, expected ']'");
}

void GmlReader::take(const std::string& kind, const Said& said) {
  if (kind == "node") {
    if (!said.id) lines_.fail_at(said.line, "found a node without an id, expected one");
    raw_.nodes[raw_.define(*said.id, said.line)].name = said.label.value_or("");
  } else if (kind == "edge") {
    if (!said.source || !said.target)
      lines_.fail_at(said.line, "found an edge without source or target, expected both");
    const u32 source = raw_.mention(*said.source, said.line), target = raw_.mention(*said.target, said.line);
    raw_.cables.push_back({{source}, {target}, std::nullopt, 1, said.line});
  }
}

}  // namespace

Format gml_format() {
  return {"gml",
          {".gml"},
          "a graph in GML",
          [](std::string_view head) {
            const std::string line = lower(first_line(head));
            return line.starts_with("graph [") || line == "graph" || line.starts_with("creator ");
          },
          [](std::istream& in, const std::string& file) { return GmlReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
