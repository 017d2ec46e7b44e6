#include "formats/address_choice_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {

void write_address_choice(std::ostream& out, const Subnet& subnet, const Routing& routing) {
  const AddressChoice& choice = *routing.source.choice();
  out << "# Which address of a host a message takes, by its size and by the groups of source and "
         "destination.\n"
         "# The number chosen is added to the first LID of the destination; several share the messages "
         "evenly.\n";
  base::print(out, "lmc {}\ngroups {}\n", routing.lmc, choice.groups);
  if (subnet.group_lids > 0)
    base::print(out, "# the group of a LID is LID / {}\nlids_per_group {}\n", subnet.group_lids,
                subnet.group_lids);
  out << "# host: port GUID, first LID, group, name\n";
  for (Node v : subnet.fabric->nic_nodes())
    if (subnet.has(v))
      base::print(out, "host 0x{:016x} {} {} {}\n", subnet.port_guid(v), subnet.lids[v],
                  choice.group[index(v)], subnet.fabric->name(v));
  out << "# bytes: from this size on; a row for each group of the source, a column for each of the "
         "destination\n";
  for (u32 size = 0; size < choice.sizes.size(); ++size) {
    base::print(out, "bytes {}\n", choice.sizes[size]);
    for (u32 from = 0; from < choice.groups; ++from) {
      out << "from " << from;
      for (u32 to = 0; to < choice.groups; ++to)
        base::print(out, " {}", fmt::join(choice.cell(size, from, to), "|"));
      out << '\n';
    }
  }
}

namespace {

class ChoiceReader {
 public:
  ChoiceReader(std::istream& in, const std::string& file, const Subnet& subnet)
      : lines_(in, file), subnet_(subnet) {
    for (Node v : subnet.fabric->nic_nodes())
      if (subnet.has(v)) nics_[subnet.port_guid(v)] = v;
    out_.groups = 0;
    out_.sizes.clear();
    out_.group.resize(subnet.fabric->nics());
  }

  AddressChoice run() {
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (line.empty() || line.front() == '#') continue;
      words_.clear();
      for (std::string_view word : split(line, ' '))
        if (!word.empty()) words_.push_back(word);
      take_line();
    }
    if (rows_ != out_.groups || out_.sizes.empty())
      lines_.fail("found the end, expected 'bytes' and a row 'from' for each group");
    if (named_ != nics_.size())
      lines_.fail(fmt::format("found {} hosts, expected all {} of the subnet", named_, nics_.size()));
    return std::move(out_);
  }

 private:
  void take_line() {
    const std::string_view key = words_[0];
    if (key == "lmc")
      take_lmc();
    else if (key == "groups")
      out_.groups = number(1, 1, 255);
    else if (key == "lids_per_group")
      number(1, 1, max_lid);
    else if (key == "host")
      take_host();
    else if (key == "bytes")
      take_size();
    else if (key == "from")
      take_row();
    else
      lines_.fail(fmt::format("found {}, expected lmc, groups, host, bytes or from", shown(key)));
  }
  void take_lmc() {
    if (const u32 lmc = number(1, 0, 7); lmc != subnet_.lmc)
      lines_.fail(fmt::format("found lmc {}, expected {} as the tables have", lmc, subnet_.lmc));
  }
  void take_host() {
    const auto guid = words_.size() > 3 ? parse_hex(words_[1]) : std::nullopt;
    const auto found = guid ? nics_.find(*guid) : nics_.end();
    if (found == nics_.end())
      lines_.fail("expected 'host', the port GUID of a host, its first LID, its group");
    const u32 lid = number(2, 1, max_lid);
    if (lid != subnet_.lids[found->second])
      lines_.fail(fmt::format("found LID {} of '{}', expected {} as the tables have", lid,
                              subnet_.fabric->name(found->second), subnet_.lids[found->second]));
    out_.group[index(found->second)] = static_cast<u8>(number(3, 0, std::max(1u, out_.groups) - 1));
    ++named_;
  }
  void take_size() {
    const auto bytes = words_.size() == 2 ? parse_unsigned(words_[1]) : std::nullopt;
    const bool ascends = bytes && (out_.sizes.empty() ? *bytes == 0 : *bytes > out_.sizes.back());
    if (!ascends || (!out_.sizes.empty() && rows_ != out_.groups))
      lines_.fail("expected sizes from 0 up, each with a row 'from' for each group");
    out_.sizes.push_back(*bytes);
    rows_ = 0;
  }
  void take_row() {
    if (words_.size() != out_.groups + 2 || out_.sizes.empty() || number(1, 0, 254) != rows_)
      lines_.fail(fmt::format("expected 'from {}' and {} cells after a line 'bytes'", rows_, out_.groups));
    for (u32 to = 0; to < out_.groups; ++to) {
      std::vector<u8> cell;
      for (std::string_view text : split(words_[to + 2], '|')) {
        const auto address = parse_unsigned(text);
        if (!address || *address >> subnet_.lmc != 0)
          lines_.fail(fmt::format("found {}, expected numbers of addresses from 0 to {}",
                                  shown(words_[to + 2]), (1u << subnet_.lmc) - 1));
        cell.push_back(static_cast<u8>(*address));
      }
      out_.add_cell(cell);
    }
    ++rows_;
  }
  u32 number(std::size_t at, u32 least, u32 maximum) const {
    const auto value = at < words_.size() ? parse_unsigned(words_[at]) : std::nullopt;
    if (!value || *value < least || *value > maximum)
      lines_.fail(fmt::format("expected a number from {} to {} after '{}'", least, maximum, words_[at - 1]));
    return static_cast<u32>(*value);
  }

  LineReader lines_;
  const Subnet& subnet_;
  std::unordered_map<u64, Node> nics_;
  AddressChoice out_;
  std::vector<std::string_view> words_;
  u32 rows_ = 0;
  std::size_t named_ = 0;
};

// The lanes that a source has, address by address.
TableWays lanes_of(const Fabric& fabric, const Routing& routing) {
  TableWays out{routing.lmc, std::get<Tables>(routing.forward).addresses(), {}, {}};
  if (routing.lanes == 1) return out;
  for (u32 from = 0; from < fabric.nics(); ++from) {
    out.lane_row.push_back(from);
    for (u32 to = 0; to < out.addresses; ++to)
      out.lanes.push_back(routing.source.lane(Nic{from}, Address{to}, routing.lmc));
  }
  return out;
}

}  // namespace

void read_address_choice(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing) {
  AddressChoice choice = ChoiceReader(in, file, subnet).run();
  routing.source = Source(ChosenWays{lanes_of(*subnet.fabric, routing), std::move(choice), Reads::nic});
}

}  // namespace banyan::formats
