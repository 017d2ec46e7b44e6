// An edge list: a line for each cable, with the names of its two ends, or with name and port of both. Lines
// that start with '#' are comments. Nodes with one cable are hosts; ports that are not given are numbered in
// the order of the lines.
#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

std::vector<std::string_view> ends_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (line = trim(line); !line.empty(); line = trim(line)) {
    out.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(out.back().size());
  }
  return out;
}

bool is_edge_list(std::string_view head) {
  const auto ends = ends_of(first_line(head));
  const auto has_digit = [](std::string_view word) { return word.find_first_of("0123456789") != word.npos; };
  if (ends.size() != 2 && !(ends.size() == 4 && has_digit(ends[1]) && has_digit(ends[3]))) return false;
  for (const std::string_view end : ends)
    for (const char c : end)
      if (std::string_view("{}[]<>=,;\"'").find(c) != std::string_view::npos) return false;
  return true;
}

FabricFile read_edges(std::istream& in, const std::string& file) {
  LineReader lines(in, file);
  RawFabric raw(file);
  while (lines.next()) {
    if (trim(lines.line()).empty() || trim(lines.line()).starts_with('#')) continue;
    const auto ends = ends_of(lines.line());
    const bool has_ports = ends.size() == 4;
    if (ends.size() != 2 && !has_ports)
      lines.fail(fmt::format("found {}, expected the names of two nodes, each with its port or none",
                             shown(lines.line())));
    const u32 a = raw.mention(ends[0], lines.number());
    const u32 b = raw.mention(ends[has_ports ? 2 : 1], lines.number());
    raw.nodes[a].defined = raw.nodes[b].defined = true;
    raw.cables.push_back({raw.end(a, has_ports ? ends[1] : "", lines.number()),
                          raw.end(b, has_ports ? ends[3] : "", lines.number()), std::nullopt, 1,
                          lines.number()});
  }
  if (raw.cables.empty()) lines.fail("found nothing, expected a line with two names for each cable");
  return to_fabric(std::move(raw));
}

}  // namespace

Format edges_format() {
  return {"edges",
          {".edges", ".edgelist"},
          "an edge list: the two ends of a cable in each line, with or without ports",
          is_edge_list,
          read_edges,
          nullptr};
}

}  // namespace banyan::formats
