// An edge list: a line for each cable, with the names of its two ends. Lines that start with '#' are
// comments. Nodes with one cable are hosts; ports are numbered in the order of the lines.
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
  if (ends.size() != 2) return false;
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
    if (ends.size() != 2)
      lines.fail(fmt::format("found {}, expected the names of two nodes", shown(lines.line())));
    const u32 a = raw.mention(ends[0], lines.number()), b = raw.mention(ends[1], lines.number());
    raw.nodes[a].defined = raw.nodes[b].defined = true;
    raw.cables.push_back({{a, 0}, {b, 0}, std::nullopt, 1, lines.number()});
  }
  if (raw.cables.empty()) lines.fail("found nothing, expected a line with two names for each cable");
  return to_fabric(std::move(raw));
}

}  // namespace

Format edges_format() {
  return {"edges",
          {".edges", ".edgelist"},
          "an edge list: the two ends of a cable in each line",
          is_edge_list,
          read_edges,
          nullptr};
}

}  // namespace banyan::formats
