#include "traffic/demand_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::traffic {
namespace {

constexpr u32 max_ranks = u32{1} << 24, max_rounds = u32{1} << 20;

std::string shown(std::string_view text) {
  return text.size() > 40 ? fmt::format("'{}...'", text.substr(0, 40)) : fmt::format("'{}'", text);
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> out;
  for (line = trim(line); !line.empty(); line = trim(line)) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    out.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return out;
}

class Reader {
 public:
  Reader(std::istream& in, const std::string& file, const RankNames& names)
      : in_(in), file_(file), names_(names) {}

  DemandFile run() {
    if (!next('#')) fail("found nothing, expected demands as CSV, Matrix Market, a matrix or lines of hosts");
    if (lower(line_).starts_with("%%matrixmarket"))
      read_matrix_market();
    else if (is_monitoring())
      read_monitoring();
    else if (line_.find(',') == line_.npos && !parse_real(words(line_)[0]))
      read_host_lines();
    else if (line_.find(',') == line_.npos)
      read_rows([](std::string_view line) { return words(line); }, true);
    else if (parse_real(split(line_, ',')[0]))
      read_rows([](std::string_view line) { return split(line, ','); }, false);
    else
      read_list();
    return std::move(out_);
  }

 private:
  // The next line that is neither blank nor a comment.
  bool next(char comment) {
    while (std::getline(in_, line_)) {
      ++number_;
      const std::string_view text = trim(line_);
      if (!text.empty() && text.front() != comment) return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, number_}, what); }

  u32 whole(std::string_view text, std::string_view what, u32 least, u32 maximum) const {
    const auto value = parse_unsigned(text);
    if (!value || *value < least || *value > maximum)
      fail(fmt::format("found {} for {}, expected a whole number from {} to {}", shown(text), what, least,
                       maximum));
    return static_cast<u32>(*value);
  }
  // By number, or by the name of a host.
  u32 rank(std::string_view text, std::string_view what) const {
    if (names_ && !parse_unsigned(text)) {
      if (const auto named = names_(std::string(text))) return *named;
      fail(fmt::format("found {} for {}, expected a rank or the name of a host", shown(text), what));
    }
    return whole(text, what, 0, max_ranks - 1);
  }
  double amount(std::string_view text) const {
    const auto value = parse_real(text);
    if (!value || *value < 0) fail(fmt::format("found {}, expected an amount of 0 or more", shown(text)));
    return *value;
  }
  void add(u32 from, u32 to, double value) {
    if (value > 0) out_.demands.push_back({Rank{from}, Rank{to}, value});
  }

  template <class Cells>
  void read_rows(Cells cells, bool is_profile);
  void read_list();
  void read_host_lines();
  void sort_rounds(const std::vector<u32>& rounds);
  bool is_monitoring() const;
  void read_monitoring();
  void read_matrix_market();
  void read_coordinates(std::size_t width, u64 entries, bool symmetric);
  void read_array(bool symmetric);

  std::istream& in_;
  std::string file_, line_;
  const RankNames& names_;
  u64 number_ = 0;
  DemandFile out_;
};

// Row i, column j: what rank i sends to rank j.
template <class Cells>
void Reader::read_rows(Cells cells, bool is_profile) {
  u32 row = 0, width = 0;
  do {
    const auto found = cells(line_);
    if (row == 0) width = static_cast<u32>(std::min<std::size_t>(found.size(), max_ranks));
    if (found.size() != width)
      fail(fmt::format("found {} numbers, expected {} as in the first row", found.size(), width));
    if (row == width) fail(fmt::format("found more than {} rows, expected as many as columns", width));
    for (u32 j = 0; j < width; ++j)
      add(row, j, is_profile ? whole(found[j], "a demand", 0, 255) : amount(found[j]));
    ++row;
  } while (next('#'));
  if (row != width)
    fail(fmt::format("found {} rows at the end, expected {} as there are columns", row, width));
  out_.ranks = width;
  out_.round_end = {out_.demands.size()};
}

void Reader::read_list() {
  constexpr std::array<std::string_view, 5> names = {"from", "to", "amount", "bytes", "round"};
  std::array<std::size_t, 5> place;
  place.fill(~std::size_t{0});
  const std::string header = line_;
  const auto columns = split(header, ',');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), lower(columns[i]));
    if (found == names.end())
      fail(fmt::format("found column {}, expected from, to, amount, bytes or round", shown(columns[i])));
    auto& at = place[static_cast<std::size_t>(found - names.begin())];
    if (at != ~std::size_t{0}) fail(fmt::format("found column {} twice", shown(columns[i])));
    at = i;
  }
  const auto has = [&](std::size_t column) { return place[column] != ~std::size_t{0}; };
  if (!has(0) || !has(1)) fail("found no columns 'from' and 'to', expected from,to,amount or from,to,bytes");
  if (has(2) && has(3)) fail("found columns 'amount' and 'bytes', expected one of them");
  out_.in_bytes = has(3);
  std::vector<u32> rounds;
  while (next('#')) {
    const auto cells = split(line_, ',');
    if (cells.size() != columns.size())
      fail(fmt::format("found {} cells, expected {} as in the header", cells.size(), columns.size()));
    const u32 from = rank(cells[place[0]], "from"), to = rank(cells[place[1]], "to");
    const std::size_t column = out_.in_bytes ? 3 : 2;
    const double value = has(column) ? amount(cells[place[column]]) : 1;
    out_.ranks = std::max({out_.ranks, from + 1, to + 1});
    rounds.push_back(has(4) ? whole(cells[place[4]], "round", 0, max_rounds - 1) : 0);
    out_.demands.push_back({Rank{from}, Rank{to}, value});
  }
  if (rounds.empty()) fail("found no demands, expected a row for each");
  sort_rounds(rounds);
}

// What `banyan demands` writes: a source, then destinations, each with a weight.
void Reader::read_host_lines() {
  do {
    const auto cells = words(std::string_view(line_).substr(0, line_.find('#')));
    if (cells.size() % 2 == 0)
      fail(fmt::format("found {}, expected a host, then hosts each with a weight", shown(line_)));
    const u32 from = rank(cells[0], "a host");
    out_.ranks = std::max(out_.ranks, from + 1);
    for (std::size_t i = 1; i < cells.size(); i += 2) {
      const u32 to = rank(cells[i], "a host");
      out_.ranks = std::max(out_.ranks, to + 1);
      add(from, to, whole(cells[i + 1], "a weight", 0, 255));
    }
  } while (next('#'));
  out_.round_end = {out_.demands.size()};
}

void Reader::sort_rounds(const std::vector<u32>& rounds) {
  std::vector<std::size_t> order(rounds.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rounds[a] < rounds[b]; });
  std::vector<Demand> sorted;
  std::vector<std::size_t> end(*std::max_element(rounds.begin(), rounds.end()) + 1);
  for (const std::size_t i : order) {
    sorted.push_back(out_.demands[i]);
    end[rounds[i]] = sorted.size();
  }
  for (std::size_t r = 1; r < end.size(); ++r)
    end[r] = std::max(end[r], end[r - 1]);  // rounds without demands
  out_.demands = std::move(sorted);
  out_.round_end = std::move(end);
}

// A letter, two ranks, then "N bytes", "M msgs sent" and whatever more, by tabs.
bool Reader::is_monitoring() const {
  static constexpr std::string_view kinds[] = {"E", "I", "S", "R", "C", "D", "O2A", "A2O", "A2A"};
  const auto cells = split(line_, '\t');
  return cells.size() >= 3 && std::find(std::begin(kinds), std::end(kinds), cells[0]) != std::end(kinds);
}

// What Open MPI's component `monitoring` writes for each rank, the files of all ranks one behind the other. E
// and I are messages of the program and of the library itself, S what was put into the memory of the other
// rank, R what was fetched from it. What the other lines say of collectives (C: how many bytes a call meant
// for each other rank, whatever way they took) is in these already.
void Reader::read_monitoring() {
  out_.in_bytes = true;
  do {
    const auto cells = split(line_, '\t');
    if (!is_monitoring())
      fail(fmt::format("found {}, expected a line of Open MPI's monitoring", shown(line_)));
    const bool fetched = cells[0] == "R";
    if (cells[0].size() > 1 || cells[0] == "C" || cells[0] == "D") continue;
    const u32 self = whole(cells[1], "a rank", 0, max_ranks - 1),
              other = whole(cells[2], "a rank", 0, max_ranks - 1);
    out_.ranks = std::max({out_.ranks, self + 1, other + 1});
    const auto amounts = cells.size() > 3 ? words(cells[3]) : std::vector<std::string_view>{};
    if (amounts.size() != 2 || amounts[1] != "bytes")
      fail(fmt::format("found {}, expected 'N bytes' in the fourth column", shown(line_)));
    add(fetched ? other : self, fetched ? self : other, amount(amounts[0]));
  } while (next('#'));
  if (out_.ranks == 0) fail("found no messages between ranks");
  out_.round_end = {out_.demands.size()};
}

void Reader::read_matrix_market() {
  const std::string header = lower(line_);
  const auto title = words(header);
  const auto is = [&](std::size_t at, std::initializer_list<std::string_view> these) {
    return title.size() == 5 && std::find(these.begin(), these.end(), title[at]) != these.end();
  };
  if (!is(1, {"matrix"}) || !is(2, {"coordinate", "array"}) || !is(3, {"real", "integer", "pattern"}) ||
      !is(4, {"general", "symmetric"}) || (is(2, {"array"}) && is(3, {"pattern"})))
    fail(fmt::format(
        "found {}, expected '%%MatrixMarket matrix' coordinate or array, real, integer or pattern, "
        "general or symmetric",
        shown(line_)));
  const bool is_array = is(2, {"array"}), symmetric = is(4, {"symmetric"});
  const std::size_t width = is(3, {"pattern"}) ? 2 : 3;
  if (!next('%')) fail("found the end, expected the size of the matrix");
  const auto size = words(line_);
  if (size.size() != (is_array ? 2u : 3u))
    fail(fmt::format("found {}, expected {}", shown(line_),
                     is_array ? "rows, columns" : "rows, columns, entries"));
  out_.ranks = whole(size[0], "rows", 1, max_ranks);
  if (whole(size[1], "columns", 1, max_ranks) != out_.ranks)
    fail(fmt::format("found {} rows and {} columns, expected a square matrix", size[0], size[1]));
  if (is_array)
    read_array(symmetric);
  else
    read_coordinates(width, whole(size[2], "entries", 0, ~u32{0}), symmetric);
  if (next('%')) fail(fmt::format("found {} after the last entry, expected the end", shown(line_)));
  out_.round_end = {out_.demands.size()};
}

void Reader::read_coordinates(std::size_t width, u64 entries, bool symmetric) {
  for (u64 i = 0; i < entries; ++i) {
    if (!next('%')) fail(fmt::format("found the end after {} entries, expected {}", i, entries));
    const auto cells = words(line_);
    if (cells.size() != width) fail(fmt::format("found {} numbers, expected {}", cells.size(), width));
    const u32 from = whole(cells[0], "a row", 1, out_.ranks) - 1,
              to = whole(cells[1], "a column", 1, out_.ranks) - 1;
    const double value = width == 3 ? amount(cells[2]) : 1;
    add(from, to, value);
    if (symmetric && from != to) add(to, from, value);
  }
}

// Column by column; of a symmetric matrix what is on and below the diagonal.
void Reader::read_array(bool symmetric) {
  for (u32 to = 0; to < out_.ranks; ++to)
    for (u32 from = symmetric ? to : 0; from < out_.ranks; ++from) {
      if (!next('%')) fail("found the end, expected a number for every place of the matrix");
      const double value = amount(trim(line_));
      add(from, to, value);
      if (symmetric && from != to) add(to, from, value);
    }
}

}  // namespace

DemandFile read_demands(std::istream& in, const std::string& file, const RankNames& names) {
  return Reader(in, file, names).run();
}

}  // namespace banyan::traffic
