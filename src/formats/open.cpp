#include "formats/open.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "fabric/names.hpp"
#include "formats/known_others.hpp"
#include "formats/lines.hpp"
#include "formats/lldp.hpp"
#include "formats/roles.hpp"
#include "formats/with_hosts.hpp"
#include "topology/family.hpp"
#include "topology/notation.hpp"
#include "topology/shape_links.hpp"

namespace banyan::formats {

const Registry<Format>& formats() {
  static const Registry<Format> all{
      "format",
#define FORMAT(name) BANYAN_PLUGIN(Format, name##_format),
#include "formats/formats.def"
#undef FORMAT
  };
  return all;
}

u32 printed_ports(const Fabric& fabric, Node node) {
  u32 ports = fabric.ports(node);
  for (Channel c : fabric.channels(node))
    if (fabric.cabled(c)) ports = std::max(ports, fabric.port_number(c));
  return ports;
}

std::string lost_port_texts(const Fabric& fabric, std::string_view where) {
  for (Channel c : fabric.channels())
    if (const auto text = fabric.port_text(c); fabric.cabled(c) && !text.empty())
      return fmt::format("{} has no labels of ports such as {}: they are written as numbers, this one as {}",
                         where, shown(port_name(fabric, c)), fabric.port_number(c));
  return "";
}

namespace {

constexpr std::size_t head_size = 4096, largest_head = 1 << 24;

const Format* by_ending(const std::string& path) {
  const std::string name = lower(std::filesystem::path(path).filename().string());
  for (const Format& format : formats())
    for (std::string_view ending : format.endings)
      if (name.ends_with(ending)) return &format;
  return nullptr;
}

// Gives the bytes that were looked at once more, then the rest of another stream.
class Rewound : public std::streambuf {
 public:
  Rewound(std::string head, std::streambuf& rest) : buffer_(std::move(head)), rest_(rest) {
    setg(buffer_.data(), buffer_.data(), buffer_.data() + buffer_.size());
  }

 protected:
  int_type underflow() override {
    buffer_.resize(1 << 16);
    const auto count = rest_.sgetn(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return count > 0 ? traits_type::to_int_type(buffer_[0]) : traits_type::eof();
  }

 private:
  std::string buffer_;
  std::streambuf& rest_;
};

const Format& format_of(std::string_view head, const std::string& file) {
  if (const std::string_view other = known_other(head); !other.empty())
    throw InputError(Place{file}, fmt::format("is {}", other));
  for (const Format& format : formats())
    if (format.sniff(head)) {
      if (!format.read)
        throw InputError(Place{file},
                         fmt::format("is {}, which Banyan can write but not read", format.summary));
      return format;
    }
  const Format* format = by_ending(file);
  if (format && format->read) return *format;
  std::vector<std::string_view> known;
  for (const Format& each : formats())
    if (each.read) known.push_back(each.name);
  throw InputError(Place{file},
                   fmt::format("the format is not recognised; expected one of {}", fmt::join(known, ", ")));
}

// As much as tells the format, also where many messages of a tool stand before it.
std::string read_head(std::istream& in) {
  std::string head;
  do {
    const std::size_t size = head.size();
    head.resize(size + head_size);
    in.read(head.data() + size, head_size);
    head.resize(size + static_cast<std::size_t>(in.gcount()));
  } while (in && after_messages(head).size() < head_size && head.size() < largest_head);
  return head;
}

[[noreturn]] void missing(const std::string& argument) {
  if (const auto open = argument.find("x (");
      open != argument.npos && argument.find('+', open) != argument.npos)
    throw InputError(
        fmt::format("'{}': a sum has no parentheses of its own; expected 2 x A + 2 x B", argument));
  const std::string start = lower(argument.substr(0, argument.find_first_of("(0123456789 ")));
  std::string hint;
  for (const Family& family : families()) {
    if (!start.empty() && hint.empty() && lower(family.name).starts_with(start)) hint = family.example;
    if (lower(family.name) == start) hint = family.example;  // Dragonfly rather than Dragonfly+
  }
  if (hint.empty() && argument.find('(') != argument.npos) hint = families()[0].example;
  throw InputError(fmt::format("'{}': there is no such file{}", argument,
                               hint.empty() ? "" : fmt::format("; a notation is written like '{}'", hint)));
}

}  // namespace

FabricFile read_fabric(std::istream& in, const std::string& file) {
  std::string head = read_head(in);
  const Format& format = format_of(after_messages(head), file);
  Rewound buffer(std::move(head), *in.rdbuf());
  std::istream whole(&buffer);
  FabricFile out = format.read(whole, file);
  if (Topology& topology = out.topology; topology.fabric.hosts() == 0 && topology.remark.empty())
    topology.remark = fmt::format("{} has no hosts; '{}; hosts=4' has four on every switch", file, file);
  return out;
}

namespace {

// The last option behind a file, hosts=4 or roles=FILE; nothing if there is none.
std::string_view file_option(std::string_view argument) {
  const auto semicolon = argument.rfind(';');
  if (semicolon == argument.npos) return {};
  const std::string_view option = trim(argument.substr(semicolon + 1));
  return option.starts_with("hosts=") || option.starts_with("roles=") ? option : std::string_view();
}

FabricFile with_role_file(FabricFile file, const std::string& path) {
  std::ifstream in = open_input(path);
  const RoleFile roles = read_roles(in, path);
  Fabric& fabric = file.topology.fabric;
  IdVector<Host, Role> of;
  for (const Host host : IdRange<Host>(fabric.hosts()))
    of.push_back(roles.find(fabric.host_name(host)).value_or(fabric.endpoints().role(host)));
  fabric = with_roles(std::move(fabric), std::move(of));
  return file;
}

}  // namespace

std::string_view file_of(std::string_view argument) {
  const auto semicolon = argument.rfind(';');
  const std::string_view option = file_option(argument);
  if (option.empty()) return argument;
  if (option.starts_with("roles=")) return file_of(trim(argument.substr(0, semicolon)));
  const std::string_view file = trim(argument.substr(0, semicolon));
  return file.find('(') == file.npos || input_exists(std::string(file)) ? file : argument;
}

std::string with_role_files(std::string_view argument,
                            const std::function<std::string(const std::string&)>& rename) {
  const std::string_view option = file_option(argument);
  if (!option.starts_with("roles=")) return std::string(argument);
  return with_role_files(trim(argument.substr(0, argument.rfind(';'))), rename) +
         "; roles=" + rename(std::string(trim(option.substr(6))));
}

FabricFile open_fabric(std::string_view argument) {
  if (const std::string_view option = file_option(argument); option.starts_with("roles="))
    return with_role_file(open_fabric(trim(argument.substr(0, argument.rfind(';')))),
                          std::string(trim(option.substr(6))));
  if (const std::string_view file = file_of(argument); file != argument) {
    const std::string_view count = argument.substr(argument.rfind('=') + 1);
    const auto hosts = parse_unsigned(trim(count));
    if (!hosts || *hosts == 0 || *hosts > max_ports_of_a_node)
      throw InputError(
          fmt::format("found {} hosts per switch, expected 1 to {}", shown(count), max_ports_of_a_node));
    return with_hosts(open_fabric(file), static_cast<u32>(*hosts), std::string(file));
  }
  const std::string path(argument);
  if (path == "-") return read_fabric(std::cin, "standard input");
  if (std::error_code error; !is_reading_restricted() && std::filesystem::is_directory(path, error))
    return read_lldp_folder(path);
  const bool exists = input_exists(path);
  if (!exists && looks_like_notation(argument)) {
    FabricFile made{make_topology(argument), {}};
    if (has_speeds(argument)) made.unit = usual_link;
    return made;
  }
  if (!exists) missing(path);
  std::ifstream in = open_input(path);
  return read_fabric(in, path);
}

std::string write_fabric(const FabricFile& fabric, const std::string& path, std::string_view name) {
  const bool standard = path == "-";
  if (standard && name.empty()) throw InputError("standard output has no file extension; give --format");
  const Format* format = name.empty() ? by_ending(path) : &formats().at(lower(name));
  if (!format) {
    std::vector<std::string_view> known;
    for (const Format& each : formats())
      if (each.write) known.insert(known.end(), each.endings.begin(), each.endings.end());
    throw InputError(Place{path},
                     fmt::format("found no known file extension, expected one of {}", fmt::join(known, " ")));
  }
  if (!format->write)
    throw InputError(Place{path}, fmt::format("the format {} can be read but not written", format->name));
  if (!standard)
    write_whole(path, [&](std::ostream& out) { format->write(fabric, out); });
  else if (format->write(fabric, std::cout); !std::cout.flush())
    throw InputError("standard output could not be written to the end");
  if (format->keeps_port_texts) return "";
  return lost_port_texts(fabric.topology.fabric, fmt::format("the format {}", format->name));
}

}  // namespace banyan::formats
