#include "formats/tree_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <unordered_set>

#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

constexpr int deepest_tree = 64;
constexpr char no_more = '\0';

bool is_end_of_word(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == no_more; }

class TreeParser {
 public:
  TreeParser(std::string text, const std::string& file) : text_(std::move(text)), file_(file) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = start_ = 3;
  }

  std::vector<Tree> run() {
    std::vector<Tree> out;
    for (;;) {
      skip_blank();
      while (take_mark("---") || take_mark("...") || take_directive()) skip_blank();
      if (at_ == text_.size()) return out;
      const std::size_t before = at_;
      out.push_back(parse_block(0, 0));
      skip_blank();
      const bool follows =
          at_ == text_.size() || is_mark("---") || is_mark("...") || peek() == '{' || peek() == '[';
      if (!follows || at_ == before) missed("the end of the document");
    }
  }

 private:
  using Kind = Tree::Kind;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : no_more; }
  char take() {
    const char c = text_[at_++];
    if (c == '\n') ++line_, start_ = at_;
    return c;
  }
  std::size_t column() const { return at_ - start_; }
  bool is_mark(std::string_view mark) const {
    return column() == 0 && std::string_view(text_).substr(at_).starts_with(mark) &&
           is_end_of_word(peek(mark.size()));
  }
  bool take_mark(std::string_view mark) {
    if (!is_mark(mark)) return false;
    at_ += mark.size();
    return true;
  }
  bool take_directive() {
    if (column() != 0 || peek() != '%') return false;
    skip_line();
    return true;
  }
  void skip_line() {
    while (at_ < text_.size() && peek() != '\n') take();
  }
  // Spaces and tabs of a line; a comment ends it.
  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') take();
    if (peek() == '#' && (at_ == start_ || is_end_of_word(text_[at_ - 1]))) skip_line();
  }
  void skip_blank() {
    for (skip_space(); peek() == '\n'; skip_space()) take();
  }
  bool is_item() const { return peek() == '-' && is_end_of_word(peek(1)); }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, line_}, what); }
  [[noreturn]] void missed(std::string_view expected) const {
    if (at_ == text_.size()) fail(fmt::format("found the end of the file, expected {}", expected));
    const std::string_view rest = std::string_view(text_).substr(at_);
    fail(fmt::format("found {}, expected {}", shown(rest.substr(0, rest.find_first_of("\r\n"))), expected));
  }
  Tree node(Kind kind) const {
    Tree out;
    out.kind = kind;
    out.line = line_;
    return out;
  }
  void check_depth(int depth) const {
    if (depth > deepest_tree) fail(fmt::format("found more than {} levels, expected fewer", deepest_tree));
  }

  Tree parse_block(std::size_t indent, int depth);
  Tree parse_list(std::size_t indent, int depth);
  Tree parse_map(std::size_t indent, int depth);
  Tree parse_value(std::size_t indent, int depth);
  Tree parse_block_scalar(std::size_t indent);
  Tree parse_plain(std::size_t indent);
  Tree parse_flow(int depth);
  Tree parse_flow_map(int depth);
  std::string take_quoted();
  std::string take_double_quoted();
  std::string take_plain_piece(bool in_flow);
  bool starts_key();
  void refuse_marks() const {
    if (peek() == '&' || peek() == '*' || peek() == '!')
      missed("a text, a list or a map; anchors, aliases and tags are not read");
    if (peek() == '?' && is_end_of_word(peek(1))) missed("a key that is a text");
  }

  std::string text_;
  const std::string& file_;
  std::size_t at_ = 0, start_ = 0;  // of the present line
  u64 line_ = 1;
};

// Whether a key and its colon come next on this line; nothing is taken.
bool TreeParser::starts_key() {
  const std::size_t at = at_, start = start_;
  const u64 line = line_;
  bool found = false;
  if (peek() == '"' || peek() == '\'') {
    take_quoted();
    skip_space();
    found = line == line_ && peek() == ':' && is_end_of_word(peek(1));
  } else {
    take_plain_piece(false);
    found = peek() == ':';
  }
  at_ = at, start_ = start, line_ = line;
  return found;
}

// What stands at the next content, if that is at least so far to the right; otherwise nothing.
Tree TreeParser::parse_block(std::size_t indent, int depth) {
  check_depth(depth);
  skip_blank();
  if (at_ == text_.size() || column() < indent || is_mark("---") || is_mark("..."))
    return node(Kind::nothing);
  refuse_marks();
  if (is_item()) return parse_list(column(), depth);
  if (peek() == '{' || peek() == '[') return parse_flow(depth);
  if (starts_key()) return parse_map(column(), depth);
  return parse_value(indent, depth);
}

Tree TreeParser::parse_list(std::size_t indent, int depth) {
  Tree out = node(Kind::list);
  while (at_ < text_.size() && column() == indent && is_item()) {
    take();
    out.items.push_back(parse_block(indent + 1, depth + 1));
    skip_blank();
  }
  if (at_ < text_.size() && column() > indent) missed("'- ' of the next item");
  return out;
}

Tree TreeParser::parse_map(std::size_t indent, int depth) {
  Tree out = node(Kind::map);
  std::unordered_set<std::string> seen;
  while (at_ < text_.size() && column() == indent && !is_mark("---") && !is_mark("...")) {
    refuse_marks();
    if (is_item() || !starts_key()) missed("a key and ':'");
    std::string key = peek() == '"' || peek() == '\'' ? take_quoted() : take_plain_piece(false);
    if (!seen.insert(key).second) fail(fmt::format("found {} twice, expected a key once", shown(key)));
    skip_space();
    take();  // the colon
    out.keys.push_back(std::move(key));
    const u64 line = line_;
    skip_blank();
    const bool same_line = line == line_ && at_ < text_.size();
    if (same_line)
      out.items.push_back(parse_value(indent + 1, depth + 1));
    else if (column() == indent && is_item())
      out.items.push_back(parse_list(indent, depth + 1));
    else
      out.items.push_back(parse_block(indent + 1, depth + 1));
    skip_blank();
  }
  if (at_ < text_.size() && column() > indent) missed("the next key further to the left");
  return out;
}

// The rest of a line, and the lines that continue it.
Tree TreeParser::parse_value(std::size_t indent, int depth) {
  check_depth(depth);
  refuse_marks();
  if (peek() == '{' || peek() == '[') return parse_flow(depth);
  if (peek() == '|' || peek() == '>') return parse_block_scalar(indent);
  if (peek() == '"' || peek() == '\'') {
    Tree out = node(Kind::text);
    out.text = take_quoted();
    skip_space();
    if (at_ < text_.size() && peek() != '\n') missed("the end of the line behind a quoted text");
    return out;
  }
  return parse_plain(indent);
}

Tree TreeParser::parse_plain(std::size_t indent) {
  Tree out = node(Kind::text);
  out.text = take_plain_piece(false);
  if (peek() == ':') missed("no second ':' on a line");
  for (;;) {
    skip_blank();
    if (at_ == text_.size() || column() < std::max<std::size_t>(indent, 1) || is_item() || starts_key())
      break;
    out.text += ' ' + take_plain_piece(false);
  }
  if (out.text == "null" || out.text == "~" || out.text.empty()) out = node(Kind::nothing);
  return out;
}

// | keeps the ends of lines, > makes spaces of them. Deeper indentation is dropped.
Tree TreeParser::parse_block_scalar(std::size_t indent) {
  Tree out = node(Kind::text);
  const char between = take() == '|' ? '\n' : ' ';
  skip_line();
  while (at_ < text_.size()) {
    take();  // the end of the line before
    std::size_t first = at_;
    while (first < text_.size() && text_[first] == ' ') ++first;
    const bool is_blank = first == text_.size() || text_[first] == '\n' || text_[first] == '\r';
    if (!is_blank && first - at_ < indent) return out;
    const std::size_t from = first;
    while (at_ < text_.size() && peek() != '\n') take();
    if (!out.text.empty()) out.text += between;
    out.text += trim(std::string_view(text_).substr(from, at_ - std::min(from, at_)));
  }
  return out;
}

// Up to a colon that ends a key, a comment or the end of the line; in flow style also a comma or bracket.
std::string TreeParser::take_plain_piece(bool in_flow) {
  const std::size_t from = at_;
  while (at_ < text_.size() && peek() != '\n') {
    const char c = peek();
    if (c == ':' && (is_end_of_word(peek(1)) ||
                     (in_flow && std::string_view(",[]{}").find(peek(1)) != std::string_view::npos)))
      break;
    if (c == '#' && at_ > from && is_end_of_word(text_[at_ - 1])) break;
    if (in_flow && (c == ',' || c == '[' || c == ']' || c == '{' || c == '}')) break;
    take();
  }
  return std::string(trim(std::string_view(text_).substr(from, at_ - from)));
}

std::string TreeParser::take_quoted() {
  if (peek() == '"') return take_double_quoted();
  std::string out;
  const u64 line = line_;
  take();
  for (;;) {
    if (at_ == text_.size()) line_ = line, fail("found no end of a quoted text, expected '''");
    const char c = take();
    if (c == '\'' && peek() != '\'') return out;
    if (c == '\'') take();
    out += c == '\n' ? ' ' : c;
  }
}

std::string TreeParser::take_double_quoted() {
  static constexpr std::string_view letters = "ntrbfv0ae", meanings("\n\t\r\b\f\v\0\a\x1b", 9);
  std::string out;
  const u64 line = line_;
  take();
  for (;;) {
    if (at_ == text_.size()) line_ = line, fail("found no end of a quoted text, expected '\"'");
    char c = take();
    if (c == '"') return out;
    if (c != '\\') {
      out += c == '\n' ? ' ' : c;
      continue;
    }
    if (at_ == text_.size()) continue;
    c = take();
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) {
      const auto known = letters.find(c);
      if (c != '\n') out += known == letters.npos ? c : meanings[known];
      continue;
    }
    const auto code = parse_hex(std::string_view(text_).substr(at_, digits));
    if (!code || text_.size() - at_ < digits) missed(fmt::format("{} hexadecimal digits", digits));
    at_ += digits;
    if (*code < 0x80)
      out += static_cast<char>(*code);
    else if (*code < 0x800)
      out += {static_cast<char>(0xc0 | *code >> 6), static_cast<char>(0x80 | (*code & 0x3f))};
    else  // beyond, names need no exactness: printable() replaces what is no UTF-8
      out += {static_cast<char>(0xe0 | (*code >> 12 & 0xf)), static_cast<char>(0x80 | (*code >> 6 & 0x3f)),
              static_cast<char>(0x80 | (*code & 0x3f))};
  }
}

Tree TreeParser::parse_flow_map(int depth) {
  Tree out = node(Kind::map);
  std::unordered_set<std::string> seen;
  take();
  for (skip_blank(); peek() != '}'; skip_blank()) {
    refuse_marks();
    std::string key = peek() == '"' || peek() == '\'' ? take_quoted() : take_plain_piece(true);
    skip_blank();
    if (peek() != ':') missed("':' behind a key");
    if (!seen.insert(key).second) fail(fmt::format("found {} twice, expected a key once", shown(key)));
    take();
    out.keys.push_back(std::move(key));
    out.items.push_back(parse_flow(depth + 1));
    skip_blank();
    if (peek() != '}' && peek() != ',') missed("',' or '}'");
    if (peek() == ',') take();
  }
  take();
  return out;
}

Tree TreeParser::parse_flow(int depth) {
  check_depth(depth);
  skip_blank();
  refuse_marks();
  if (peek() == '{') return parse_flow_map(depth);
  if (peek() == '[') {
    Tree out = node(Kind::list);
    take();
    for (skip_blank(); peek() != ']'; skip_blank()) {
      out.items.push_back(parse_flow(depth + 1));
      skip_blank();
      if (peek() != ']' && peek() != ',') missed("',' or ']'");
      if (peek() == ',') take();
    }
    take();
    return out;
  }
  Tree out = node(Kind::text);
  if (peek() == '"' || peek() == '\'') {
    out.text = take_quoted();
    return out;
  }
  const std::size_t before = at_;
  out.text = take_plain_piece(true);
  if (at_ == before) missed("a text, a list or a map");
  if (out.text == "null" || out.text == "~") out = node(Kind::nothing);
  return out;
}

}  // namespace

const Tree* Tree::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

std::vector<Tree> read_trees(std::istream& in, const std::string& file) {
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw InputError(Place{file}, "cannot be read to the end");
  return TreeParser(std::move(text), file).run();
}

void TreeReader::missed(const Tree& tree, std::string_view what) const {
  const std::string found = tree.is_text()   ? shown(tree.text)
                            : tree.is_list() ? "a list"
                            : tree.is_map()  ? "a map"
                                             : "nothing";
  fail(tree, fmt::format("found {}, expected {}", found, what));
}

const Tree& TreeReader::map(const Tree& tree, std::string_view what) const {
  if (!tree.is_map()) missed(tree, what);
  return tree;
}

const Tree& TreeReader::list(const Tree& tree, std::string_view what) const {
  if (!tree.is_list()) missed(tree, what);
  return tree;
}

const std::string& TreeReader::text(const Tree& tree, std::string_view what) const {
  if (!tree.is_text() || tree.text.empty()) missed(tree, what);
  return tree.text;
}

u64 TreeReader::number(const Tree& tree, std::string_view what, u64 maximum) const {
  const auto value = tree.is_text() ? parse_unsigned(tree.text) : std::nullopt;
  if (!value || *value > maximum) missed(tree, fmt::format("{}, a number up to {}", what, maximum));
  return *value;
}

const Tree& TreeReader::at(const Tree& map, std::string_view key) const {
  const Tree* found = map.find(key);
  if (!found) fail(map, fmt::format("found no '{}', expected one", key));
  return *found;
}

}  // namespace banyan::formats
