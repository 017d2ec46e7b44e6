// Slurm's topology.conf: a tree of switches, `SwitchName=s0 Nodes=h[0-13]` and `SwitchName=root
// Switches=s[0-3]`, or blocks, `BlockName=b0 Nodes=h[0-17]`. And what `scontrol show topology` prints of
// either, where upper switches also list the nodes below them.
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
      if (!trim(text_).empty()) read_line();
    tree_.add_blocks(blocks_);
    return std::move(tree_).build();
  }

 private:
  bool take_line();
  void read_line();

  LineReader lines_;
  SlurmTree tree_;
  std::vector<SlurmSwitch> blocks_;
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

void SlurmReader::read_line() {
  SlurmSwitch here;
  bool is_block = false;
  here.line = line_;
  for (std::string_view rest = trim(text_); !rest.empty(); rest = trim(rest)) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    const auto equals = std::min(word.find('='), word.size());
    const std::string key = lower(word.substr(0, equals));
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    if ((key == "switchname" || key == "blockname") && is_hostlist_name(value))
      here.name = std::string(value), is_block = key == "blockname";
    else if (key == "blocksizes" || key == "blockindex" || key == "blocksize" || key == "level")
      continue;  // what a block may be joined to, and what scontrol counts
    else if (key == "nodes" && !value.empty())
      tree_.expand(value, here.nodes, line_);
    else if (key == "switches" && !value.empty())
      tree_.expand(value, here.below, line_);
    else if (key == "linkspeed")
      here.speed = tree_.raw().capacity(value, line_);
    else
      tree_.raw().fail(
          line_, fmt::format("found {}, expected SwitchName=, BlockName=, Nodes=, Switches= or LinkSpeed=",
                             shown(word)));
  }
  if (here.name.empty() && here.nodes.empty() && here.below.empty()) return;  // BlockSizes= alone
  if (here.name.empty())
    tree_.raw().fail(line_, "found no SwitchName= and no BlockName=, expected one on every line");
  if (here.nodes.empty() && here.below.empty())
    tree_.raw().fail(
        line_, fmt::format("expected {} of {}", is_block ? "Nodes=" : "Nodes= or Switches=", here.name));
  if (!here.below.empty()) here.nodes.clear();  // they are listed at the switches below, too
  is_block ? blocks_.push_back(std::move(here)) : tree_.add(here);
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
            for (const char* key : {"switchname=", "blockname=", "blocksizes="})
              if (line.starts_with(key) || line.find(' ' + std::string(key)) != line.npos) return true;
            return false;
          },
          [](std::istream& in, const std::string& file) { return SlurmReader(in, file).run(); },
          write_slurm};
}

}  // namespace banyan::formats
