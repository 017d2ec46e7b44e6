// Slurm's topology.conf: a tree of switches, `SwitchName=s0 Nodes=h[0-13]` and `SwitchName=root
// Switches=s[0-3]`. Read ports are numbered in order: what is below first, then the switch above.
#include <fmt/format.h>

#include <algorithm>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/hostlist.hpp"
#include "formats/lines.hpp"
#include "formats/slurm_tree.hpp"

namespace banyan::formats {
namespace {

class SlurmReader {
 public:
  SlurmReader(std::istream& in, const std::string& file) : lines_(in, file), tree_(file) {}

  FabricFile run() && {
    while (take_line())
      if (!trim(text_).empty()) read_switch();
    return std::move(tree_).build();
  }

 private:
  bool take_line();
  void read_switch();

  LineReader lines_;
  SlurmTree tree_;
  std::string text_;  // a line with those that continue it, without comments
  u64 line_ = 0;
};

bool SlurmReader::take_line() {
  text_.clear();
  if (!lines_.next()) return false;
  line_ = lines_.number();
  for (;;) {
    const std::string_view piece = trim(lines_.line().substr(0, lines_.line().find('#')));
    text_ += piece;
    if (text_.size() > (1u << 24)) lines_.fail("found more than 16 megabytes of continued lines");
    if (!text_.ends_with('\\')) return true;
    text_.back() = ' ';
    if (!lines_.next()) return true;
  }
}

void SlurmReader::read_switch() {
  SlurmSwitch here;
  here.line = line_;
  for (std::string_view rest = trim(text_); !rest.empty(); rest = trim(rest)) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    const auto equals = std::min(word.find('='), word.size());
    const std::string key = lower(word.substr(0, equals));
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    if (key == "switchname" && is_hostlist_name(value))
      here.name = std::string(value);
    else if (key == "nodes" && !value.empty())
      tree_.expand(value, here.nodes, line_);
    else if (key == "switches" && !value.empty())
      tree_.expand(value, here.below, line_);
    else if (key == "linkspeed")
      here.speed = tree_.raw().capacity(value, line_);
    else
      tree_.raw().fail(
          line_, fmt::format("found {}, expected SwitchName=, Nodes=, Switches= or LinkSpeed=", shown(word)));
  }
  if (here.name.empty()) tree_.raw().fail(line_, "found no SwitchName=, expected one on every line");
  if (here.nodes.empty() == here.below.empty())
    tree_.raw().fail(line_, "expected either Nodes= or Switches= of a switch");
  tree_.add(here);
}

// --- writing
// -------------------------------------------------------------------------------------------------

void write_slurm(const FabricFile& file, std::ostream& out) {
  const auto& classes = file.topology.fabric.link_classes();
  bool speeds = false;
  for (const LinkClass& link : classes) speeds = speeds || link.capacity != 1;
  for (const LogicalSwitch& s : slurm_switches(file.topology)) {
    base::print(out, "SwitchName={} {}={}", s.name, s.hosts.empty() ? "Switches" : "Nodes",
                compress_hostlist(s.hosts.empty() ? s.switches : s.hosts));
    if (speeds && s.capacity > 0) base::print(out, " LinkSpeed={}", s.capacity);
    out << '\n';
  }
}

}  // namespace

Format slurm_format() {
  return {"slurm",
          {".conf"},
          "Slurm's topology.conf",
          [](std::string_view head) {
            const std::string line = lower(first_line(head));
            return line.starts_with("switchname=") || line.find(" switchname=") != line.npos;
          },
          [](std::istream& in, const std::string& file) { return SlurmReader(in, file).run(); },
          write_slurm};
}

}  // namespace banyan::formats
