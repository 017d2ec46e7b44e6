#include "traffic/programs/open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iostream>
#include <span>

#include "base/file.hpp"
#include "traffic/pattern.hpp"
#include "traffic/programs/chakra.hpp"
#include "traffic/programs/from_rounds.hpp"
#include "traffic/programs/goal.hpp"

namespace banyan::traffic {
namespace {

struct ProgramFormat {
  std::string_view ending;
  Program (*read)(std::span<const ChakraSource>);
  void (*write)(std::ostream&, const Program&);
};

Program read_one_goal(std::span<const ChakraSource> sources) {
  if (sources.size() > 1)
    throw InputError(Place{sources[1].file, 0},
                     "found a second file, expected one: a file of GOAL holds all ranks");
  return read_goal(sources[0].in, sources[0].file);
}

constexpr std::array program_formats{ProgramFormat{".goal", read_one_goal, write_goal},
                                     ProgramFormat{".et", read_chakra, write_chakra},
                                     ProgramFormat{".json", read_chakra_json, write_chakra_json}};

const ProgramFormat* format_of(const std::string& path) {
  for (const ProgramFormat& format : program_formats)
    if (path.ends_with(format.ending)) return &format;
  return nullptr;
}

bool holds_nodes(const std::string& path) {
  if (!input_exists(path)) return false;
  std::ifstream in = open_input(path);
  std::string start(65536, ' ');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("_NODE\"") != start.npos || start.find("\"global") != start.npos;
}

// The file itself, or those of single ranks.
std::vector<std::string> files_of(const std::string& path, std::string_view ending) {
  std::vector<std::string> out;
  if (!input_exists(path)) {
    const std::string stem = path.substr(0, path.size() - ending.size());
    for (std::string file; input_exists(file = fmt::format("{}.{}{}", stem, out.size(), ending));)
      out.push_back(file);
  }
  if (out.empty()) out.push_back(path);
  return out;
}

Program read_files(const ProgramFormat& format, const std::string& path) {
  std::deque<std::ifstream> streams;
  std::vector<ChakraSource> sources;
  for (const std::string& file : files_of(path, format.ending)) {
    streams.push_back(open_input(file));
    sources.push_back({streams.back(), file});
  }
  return format.read(sources);
}

struct ApplicationText {
  std::string name{};
  u32 size = 0;
  static void fields(auto& self, auto&& f) {
    f("name", self.name, "of the application");
    f("size", self.size, "of its problem; 0: the paper's");
  }
};

Program made_program(const std::string& text, u32 ranks, u32 processes) {
  const PluginText parts = parse_plugin(text);
  if (parts.name == "step") return program_of(ranks, read_options<TrainingOptions>(parts), processes);
  if (parts.name == "application") {
    const auto named = read_options<ApplicationText>(parts);
    return program_of(make_profile(named.name, ranks, named.size));
  }
  const Topology anything = make_topology(fmt::format("XGFT(1; {}; 1)", ranks));
  const Traffic traffic = make_traffic({anything, ranks, processes}, with_hosts_known(text, processes));
  Program out = program_of(traffic, Rounds::exchange);
  out.algorithm = traffic.algorithm;
  return out;
}

bool is_made(const std::string& text) {
  const std::string name = parse_plugin(text).name;
  return name == "step" || name == "application" || patterns().find(name);
}

// Then its ending is to blame; anything else is a misspelt name.
bool looks_like_file(const std::string& text) {
  return text.find('/') != text.npos || parse_plugin(text).name.find('.') != text.npos || input_exists(text);
}

}  // namespace

std::string with_hosts_known(const std::string& traffic, u32 processes) {
  if (processes < 2) return traffic;
  PluginText text = parse_plugin(traffic);
  const bool knows = text.name == "allreduce" || text.name == "reduce-scatter" || text.name == "allgather";
  const bool is_named = std::any_of(text.options.begin(), text.options.end(), [](const auto& option) {
    return option.first == "algorithm" && option.second != "auto";
  });
  if (!knows || is_named) return traffic;
  text.set("algorithm", "rail-rings");
  return plugin_text(text);
}

void refuse_program(const std::string& text) {
  if (is_program_file(text))
    throw InputError(
        fmt::format("'{0}' is a program, expected a fabric: 'banyan check --program {0}' and "
                    "'banyan time FABRIC --program {0}' take programs",
                    text));
}

bool is_program_file(const std::string& path) {
  return format_of(path) && (!path.ends_with(".json") || holds_nodes(path));
}

bool is_program(const std::string& text) {
  return text.starts_with("step:") || text.starts_with("application:") || is_program_file(text);
}

Program open_program(const std::string& text, u32 ranks, u32 processes) {
  if (const ProgramFormat* format = format_of(text)) {
    Program out = read_files(*format, text);
    if (ranks > 0 && out.ranks > ranks)
      throw InputError(Place{text, 0},
                       fmt::format("the program has {} ranks; expected at most {}", out.ranks, ranks));
    return out;
  }
  if (!is_made(text) && (ranks == 0 || looks_like_file(text)))
    throw InputError(
        fmt::format("'{}' is no program: expected a file that ends with .goal, .et or .json, or step:MODEL, "
                    "application:NAME or a collective",
                    text));
  if (ranks == 0) throw InputError(fmt::format("'{}' is made for a number of ranks: give --ranks N", text));
  return made_program(text, ranks, processes);
}

void write_program(const std::string& path, const Program& program, const std::string& name) {
  const ProgramFormat* format = format_of(name.empty() ? path : "." + name);
  if (!format)
    throw InputError(
        name.empty()
            ? fmt::format("'{}': expected a file that ends with .goal, .et or .json, or --format", path)
            : fmt::format("--format is '{}': a program is written as goal, et or json", name));
  if (path == "-")
    format->write(std::cout, program);
  else
    write_whole(path, [&](std::ostream& out) { format->write(out, program); });
}

}  // namespace banyan::traffic
