#include "traffic/programs/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/print.hpp"
#include "base/text.hpp"

namespace banyan::traffic {
namespace {

constexpr u64 max_weight = 1'000'000;  // so that sums of weights keep the small ones
constexpr u32 rank_limit = u32{1} << 24;

std::string shown_word(std::string_view word) {
  return word.size() > 40 ? fmt::format("'{}...'", word.substr(0, 40)) : fmt::format("'{}'", word);
}

enum class CharKind : u8 { word, blank, mark, slash };

// By character.
constexpr std::array<CharKind, 256> char_kinds = [] {
  std::array<CharKind, 256> out{};
  for (const char c : {' ', '\t', '\r'}) out[static_cast<u8>(c)] = CharKind::blank;
  for (const char c : {':', ';', '{', '}'}) out[static_cast<u8>(c)] = CharKind::mark;
  out[static_cast<u8>('/')] = CharKind::slash;
  return out;
}();

constexpr CharKind kind_of(char c) { return char_kinds[static_cast<u8>(c)]; }

// The labels of a rank. Most are a letter and a number that counts them: those are kept by number.
class GoalLabels {
 public:
  // False: it is there already.
  bool add(std::string_view label, Op op) {
    if (const auto number = numbered(label)) {
      std::vector<Op>& some = by_number_[static_cast<u8>(label.front())];
      if (*number < some.size() + max_gap) {
        if (*number >= some.size()) some.resize(*number + 1, nothing);
        if (some[*number] != nothing) return false;
        some[*number] = op;
        return by_name_.empty() || !by_name_.contains(std::string(label));
      }
    }
    if (find(label)) return false;
    by_name_.emplace(label, op);
    return true;
  }
  std::optional<Op> find(std::string_view label) const {
    if (const auto number = numbered(label)) {
      const std::vector<Op>& some = by_number_[static_cast<u8>(label.front())];
      if (*number < some.size() && some[*number] != nothing) return some[*number];
    }
    const auto found = by_name_.find(std::string(label));
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }
  void clear() {
    for (std::vector<Op>& some : by_number_) some.clear();
    by_name_.clear();
  }

 private:
  static constexpr Op nothing = ~Op{0};
  static constexpr u32 max_gap = 1024;

  // Of a letter and a number that is written without leading zeros.
  static std::optional<u32> numbered(std::string_view label) {
    if (label.size() < 2 || label.size() > 9 || (label[1] == '0' && label.size() > 2)) return std::nullopt;
    u32 out = 0;
    for (const char c : label.substr(1)) {
      if (c < '0' || c > '9') return std::nullopt;
      out = 10 * out + static_cast<u32>(c - '0');
    }
    return out;
  }

  std::array<std::vector<Op>, 256> by_number_;  // by letter
  std::unordered_map<std::string, Op> by_name_;
};

// The words of a line: names and numbers, and : ; { } alone. Comments are left out, also those that go on for
// several lines.
class GoalWords {
 public:
  void read(std::string_view line) {
    words_.clear();
    next_ = 0;
    while (!line.empty()) {
      if (in_comment_) {
        const auto end = line.find("*/");
        if (end == line.npos) return;
        line.remove_prefix(end + 2);
        in_comment_ = false;
      } else if (line.front() != '/') {
        take_word(line);
      } else if (line.starts_with("//")) {
        return;
      } else if (line.starts_with("/*")) {
        line.remove_prefix(2);
        in_comment_ = true;
      } else {
        take_word(line);
      }
    }
  }

  bool is_over() const { return next_ == words_.size(); }
  std::string_view peek() const { return is_over() ? std::string_view{} : words_[next_]; }
  std::string_view next() {
    const std::string_view out = peek();
    next_ += !is_over();
    return out;
  }
  bool skip(std::string_view word) {
    if (peek() != word) return false;
    ++next_;
    return true;
  }

 private:
  void take_word(std::string_view& line) {
    const CharKind first = kind_of(line.front());
    std::size_t size = 1;
    if (first == CharKind::blank) {
      while (size < line.size() && kind_of(line[size]) == CharKind::blank) ++size;
      return line.remove_prefix(size);
    }
    if (first != CharKind::mark)
      while (size < line.size() && goes_on(line, size)) ++size;
    words_.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
  static bool goes_on(std::string_view line, std::size_t at) {
    const CharKind kind = kind_of(line[at]);
    if (kind != CharKind::slash) return kind == CharKind::word;
    return at + 1 == line.size() || (line[at + 1] != '/' && line[at + 1] != '*');
  }

  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
  bool in_comment_ = false;
};

class GoalReader {
 public:
  GoalReader(std::istream& in, const std::string& file) : in_(in), file_(file), builder_(0, file) {}

  Program run() {
    while (std::getline(in_, text_)) {
      ++line_;
      words_.read(text_);
      while (!words_.is_over())
        if (!words_.skip(";")) statement();
    }
    if (!has_ranks_) fail("found no 'num_ranks', expected it before the first rank");
    if (in_rank_) fail(fmt::format("found the end within rank {}, expected '}}'", rank_));
    return builder_.take();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, line_}, what); }
  // Of what a rank does.
  [[noreturn]] void fail_rank(const std::string& what) const {
    fail(fmt::format("rank {}: {}", rank_, what));
  }

  u64 number(std::string_view what, u64 maximum) {
    const std::string_view word = words_.next();
    const auto value = parse_unsigned(word);
    if (!value || *value > maximum)
      fail(fmt::format("found {} for {}, expected a whole number up to {}", shown_word(word), what, maximum));
    return *value;
  }
  u32 line() const { return static_cast<u32>(std::min<u64>(line_, ~u32{0})); }

  void statement() {
    const std::string_view word = words_.next();
    if (word == "num_ranks") return begin_program();
    if (word == "rank") return begin_rank();
    if (!in_rank_) fail(fmt::format("found {}, expected 'num_ranks' or 'rank'", shown_word(word)));
    if (word == "}") return end_rank();
    if (word == "calc" || word == "send" || word == "recv") {
      operation(word);
    } else if (words_.skip(":")) {
      const std::string_view kind = words_.next();
      if (!labels_.add(word, operation(kind)))
        fail_rank(fmt::format("found label {} twice", shown_word(word)));
    } else {
      dependency(word);
    }
    if (!words_.is_over() && words_.peek() != ";" && words_.peek() != "}")
      fail_rank(fmt::format("found {}, expected the end of the line", shown_word(words_.peek())));
  }

  void begin_program() {
    if (has_ranks_) fail("found 'num_ranks' twice");
    const u64 ranks = number("num_ranks", rank_limit);
    if (ranks == 0) fail("found 0 ranks, expected at least one");
    builder_ = ProgramBuilder(static_cast<u32>(ranks), file_);
    seen_.assign(ranks, false);
    has_ranks_ = true;
  }

  void begin_rank() {
    if (!has_ranks_) fail("found 'rank', expected 'num_ranks' first");
    if (in_rank_) fail(fmt::format("found 'rank' within rank {}, expected '}}'", rank_));
    const u64 found = number("a rank", ~u32{0});
    if (found >= builder_.ranks())
      fail(fmt::format("found rank {}, expected one below num_ranks, which is {}", found, builder_.ranks()));
    if (seen_[found]) fail(fmt::format("found rank {} twice", found));
    if (!words_.skip("{")) fail(fmt::format("found {}, expected '{{'", shown_word(words_.peek())));
    rank_ = static_cast<u32>(found);
    seen_[found] = in_rank_ = true;
  }

  void end_rank() {
    for (const Waiting& waiting : waiting_) {
      line_before_ = line_;
      line_ = waiting.line;
      builder_.wait(labelled(waiting.op), labelled(waiting.earlier), waiting.only_begun);
      line_ = line_before_;
    }
    waiting_.clear();
    labels_.clear();
    in_rank_ = false;
  }

  Op operation(std::string_view kind) {
    Program::Where where;
    if (kind == "calc") {
      const double seconds = 1e-9 * static_cast<double>(number("nanoseconds", u64{1} << 53));
      while (words_.skip("cpu")) where.stream = static_cast<u32>(number("a cpu", ~u32{0}));
      return builder_.compute(rank_, seconds, where, line());
    }
    const bool sends = kind == "send";
    if (!sends && kind != "recv")
      fail_rank(fmt::format("found {}, expected calc, send or recv", shown_word(kind)));
    const double bytes = size();
    if (!words_.skip(sends ? "to" : "from"))
      fail_rank(fmt::format("found {}, expected '{}'", shown_word(words_.peek()), sends ? "to" : "from"));
    if (words_.peek() == "-1")
      fail_rank("found a receive from any rank, expected the rank from which the message came");
    const u64 peer = number("a rank", ~u32{0});
    if (peer >= builder_.ranks())
      fail_rank(
          fmt::format("found rank {}, expected one below num_ranks, which is {}", peer, builder_.ranks()));
    u64 tag = 0, weight = 1;
    for (bool more = true; more;) {
      if (words_.skip("tag")) {
        if (words_.peek() == "-1") fail_rank("found a receive with any tag, expected the tag of the message");
        tag = number("a tag", ~u32{0});
      } else if (words_.skip("cpu")) {
        where.stream = static_cast<u32>(number("a cpu", ~u32{0}));
      } else if (words_.skip("nic")) {
        where.nic = static_cast<u32>(number("a nic", ~u32{0}));
      } else if (sends && words_.skip("weight")) {
        weight = number("a weight", max_weight);
      } else {
        more = false;
      }
    }
    if (!sends)
      return builder_.receive(rank_, static_cast<u32>(peer), bytes, static_cast<u32>(tag), where, line());
    const Op op = builder_.send(rank_, static_cast<u32>(peer), bytes, static_cast<u32>(tag), where, line());
    builder_.weigh(op, static_cast<u32>(weight));
    return op;
  }

  // 10b or 10 b.
  double size() {
    std::string_view word = words_.next();
    const bool has_unit = word.ends_with('b');
    const auto value = parse_unsigned(has_unit ? word.substr(0, word.size() - 1) : word);
    if (!value || *value > u64{1} << 53 || (!has_unit && !words_.skip("b")))
      fail_rank(fmt::format("found {}, expected bytes such as 10b", shown_word(word)));
    return static_cast<double>(*value);
  }

  // Labels may be defined later in their rank.
  void dependency(std::string_view op) {
    const std::string_view how = words_.next();
    if (how != "requires" && how != "irequires")
      fail_rank(fmt::format("found {} after {}, expected ':', 'requires' or 'irequires'", shown_word(how),
                            shown_word(op)));
    const std::string_view earlier = words_.next();
    if (earlier.empty()) fail_rank("found the end of the line, expected a label");
    const bool only_begun = how == "irequires";
    const auto found = labels_.find(op), before = labels_.find(earlier);
    if (found && before)
      builder_.wait(*found, *before, only_begun);
    else
      waiting_.push_back({std::string(op), std::string(earlier), only_begun, line_});
  }

  Op labelled(const std::string& label) const {
    const auto found = labels_.find(label);
    if (!found) fail_rank(fmt::format("found no label {}", shown_word(label)));
    return *found;
  }

  struct Waiting {
    std::string op, earlier;
    bool only_begun;
    u64 line;
  };

  std::istream& in_;
  std::string file_, text_;
  u64 line_ = 0, line_before_ = 0;
  GoalWords words_;
  ProgramBuilder builder_;
  std::vector<bool> seen_;
  bool has_ranks_ = false, in_rank_ = false;
  u32 rank_ = 0;
  GoalLabels labels_;
  std::vector<Waiting> waiting_;
};

void write_operation(std::ostream& out, const Program& program, Op op, u32 label) {
  const Program::Where where = program.where[op];
  const double amount =
      std::round(program.amount[op] * (program.kind[op] == Program::Kind::compute ? 1e9 : 1));
  if (program.kind[op] == Program::Kind::compute) {
    base::print(out, "l{}: calc {:.0f} cpu {}\n", label, amount, where.stream);
    return;
  }
  const bool sends = program.kind[op] == Program::Kind::send;
  base::print(out, "l{}: {} {:.0f}b {} {} tag {} cpu {} nic {}", label, sends ? "send" : "recv", amount,
              sends ? "to" : "from", program.rank[program.partner[op]], program.tag[op], where.stream,
              where.nic);
  if (sends && program.weight_of(op) != 1) base::print(out, " weight {}", program.weight_of(op));
  out << '\n';
}

}  // namespace

Program read_goal(std::istream& in, const std::string& file) { return GoalReader(in, file).run(); }

void write_goal(std::ostream& out, const Program& program) {
  std::vector<Op> order(program.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](Op a, Op b) { return program.rank[a] < program.rank[b]; });
  std::vector<u32> label(program.size());
  base::print(out, "num_ranks {}\n", program.ranks);
  auto first = order.begin();
  for (u32 rank = 0; rank < program.ranks; ++rank) {
    const auto end = std::find_if(first, order.end(), [&](Op op) { return program.rank[op] != rank; });
    base::print(out, "\nrank {} {{\n", rank);
    u32 count = 0;
    for (auto op = first; op != end; ++op) write_operation(out, program, *op, label[*op] = ++count);
    for (auto op = first; op != end; ++op)
      for (u32 i = program.first_next[*op]; i < program.first_next[*op + 1]; ++i)
        base::print(out, "l{} {} l{}\n", label[program.next[i] / 2],
                    program.next[i] % 2 ? "irequires" : "requires", label[*op]);
    base::print(out, "}}\n");
    first = end;
  }
}

}  // namespace banyan::traffic
