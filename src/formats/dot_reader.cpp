// Reads DOT: graphs and digraphs, subgraphs, chains a -- b -- c, default attributes, as people and Graphviz
// write it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <istream>
#include <utility>

#include "base/text.hpp"
#include "formats/attributes.hpp"
#include "formats/dot.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

constexpr int eof = std::char_traits<char>::eof();
constexpr std::size_t longest_id = 1 << 20;
constexpr u64 max_cables_of_groups = 1 << 20;  // {a b} -- {c d} multiplies
constexpr int deepest_subgraph = 64;

struct Token {
  enum class Kind { end, id, mark } kind = Kind::end;
  std::string text;     // of a mark: { } [ ] ; , = : -- or ->
  bool quoted = false;  // then "graph" is a name, not a keyword
  u64 line = 0;

  bool is(std::string_view mark) const { return kind == Kind::mark && text == mark; }
  bool is_word(std::string_view word) const { return kind == Kind::id && !quoted && lower(text) == word; }
};

// Cuts a stream into tokens.
class Lexer {
 public:
  Lexer(std::istream& in, const std::string& file) : in_(*in.rdbuf()), file_(file) {}

  Token next() {
    skip_blank();
    Token token;
    token.line = line_;
    const int c = in_.sgetc();
    if (c == eof) return token;
    if (c == '"' || c == '<') return read_quoted(token);
    if (is_id(c) || (c == '-' && (in_.snextc(), is_digit(in_.sgetc())))) return read_plain(token, c);
    token.kind = Token::Kind::mark;
    token.text = static_cast<char>(c);
    if (c != '-') take();  // its first character is gone already
    if (c == '-') token.text += static_cast<char>(take());
    static constexpr std::string_view marks[] = {"{", "}", "[", "]", ";", ",", "=", ":", "--", "->"};
    if (std::find(std::begin(marks), std::end(marks), token.text) == std::end(marks))
      fail(fmt::format("found {}, expected a name or one of {{ }} [ ] ; , = : -- ->", shown(token.text)));
    return token;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, line_}, what); }

 private:
  static bool is_digit(int c) { return c >= '0' && c <= '9'; }
  static bool is_id(int c) {
    return is_digit(c) || c == '_' || c == '.' || c >= 0x80 || (c != eof && std::isalpha(c));
  }

  int take() {
    const int c = in_.sbumpc();
    if (c == '\n') ++line_;
    at_line_start_ = c == '\n';
    return c;
  }
  void skip_line() {
    while (in_.sgetc() != eof && in_.sgetc() != '\n') take();
  }
  void skip_blank();
  void skip_comment();
  Token read_quoted(Token token);
  Token read_plain(Token token, int first);
  void append_quoted(std::string& text);
  void append_html(std::string& text);

  std::streambuf& in_;
  const std::string& file_;
  u64 line_ = 1;
  bool at_line_start_ = true;
};

void Lexer::skip_blank() {
  for (;;) {
    const int c = in_.sgetc();
    if (c == '#' && at_line_start_)
      skip_line();
    else if (c == '/')
      skip_comment();
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
      take();
    else
      return;
  }
}

void Lexer::skip_comment() {
  take();
  if (in_.sgetc() == '/') return skip_line();
  if (in_.sgetc() != '*') fail("found '/', expected a comment, // or /*");
  take();
  for (int before = 0;;) {
    const int c = take();
    if (c == eof) fail("found no end of a comment, expected */");
    if (before == '*' && c == '/') return;
    before = c;
  }
}

// \" is a quote, \\ a backslash; a backslash at the end of a line joins it with the next.
void Lexer::append_quoted(std::string& text) {
  take();
  for (int c = take(); c != '"'; c = take()) {
    if (c == eof) fail("found no end of a text, expected '\"'");
    if (c == '\\' && (in_.sgetc() == '"' || in_.sgetc() == '\\'))
      c = take();
    else if (c == '\\' && in_.sgetc() == '\n') {
      take();
      continue;
    }
    text += static_cast<char>(c);
    if (text.size() > longest_id) fail("found a text of more than a megabyte");
  }
}

void Lexer::append_html(std::string& text) {
  int open = 0;
  do {
    const int c = take();
    if (c == eof) fail("found no end of an HTML text, expected '>'");
    open += (c == '<') - (c == '>');
    text += static_cast<char>(c);
    if (text.size() > longest_id) fail("found a text of more than a megabyte");
  } while (open > 0);
}

Token Lexer::read_quoted(Token token) {
  token.kind = Token::Kind::id;
  token.quoted = true;
  if (in_.sgetc() == '<') return append_html(token.text), token;
  append_quoted(token.text);
  for (skip_blank(); in_.sgetc() == '+'; skip_blank()) {
    take();
    skip_blank();
    if (in_.sgetc() != '"') fail("found '+' after a text, expected another text in quotes");
    append_quoted(token.text);
  }
  return token;
}

Token Lexer::read_plain(Token token, int first) {
  token.kind = Token::Kind::id;
  if (first == '-') token.text = "-";
  while (is_id(in_.sgetc())) {
    token.text += static_cast<char>(take());
    if (token.text.size() > longest_id) fail("found a name of more than a megabyte");
  }
  return token;
}

class DotReader {
 public:
  DotReader(std::istream& in, const std::string& file) : lexer_(in, file), raw_(file) { advance(); }

  FabricFile run() && {
    if (token_.is_word("strict")) advance();
    if (!token_.is_word("graph") && !token_.is_word("digraph")) missed("graph or digraph");
    advance();
    if (token_.kind == Token::Kind::id) advance();
    read_block({}, 0);
    if (token_.kind != Token::Kind::end) missed("the end of the file");
    return to_fabric(std::move(raw_));
  }

 private:
  struct Defaults {
    Attributes node, edge;
  };

  void advance() { token_ = lexer_.next(); }
  bool take(std::string_view mark) {
    if (!token_.is(mark)) return false;
    advance();
    return true;
  }
  void expect(std::string_view mark) {
    if (!take(mark)) missed(fmt::format("'{}'", mark));
  }
  std::string take_id() {
    if (token_.kind != Token::Kind::id) missed("a name");
    std::string text = std::move(token_.text);
    advance();
    return text;
  }
  [[noreturn]] void missed(std::string_view expected) const {
    raw_.fail(
        token_.line,
        fmt::format("found {}, expected {}",
                    token_.kind == Token::Kind::end ? "the end of the file" : shown(token_.text), expected));
  }

  std::vector<u32> read_block(Defaults defaults, int depth);
  void read_statement(Defaults& defaults, int depth, std::vector<u32>& members);
  void read_chain(std::vector<u32> first, std::string first_port, const Defaults& defaults, int depth,
                  std::vector<u32>& members);
  std::vector<u32> read_subgraph(const Defaults& defaults, int depth);
  u32 read_node(const std::string& name, const Defaults& defaults, u64 line);
  std::string read_port();
  void read_attributes(Attributes& out);

  Lexer lexer_;
  RawFabric raw_;
  Token token_;
  u64 cables_of_groups_ = 0;
};

// The nodes that stand in it.
std::vector<u32> DotReader::read_block(Defaults defaults, int depth) {
  if (depth > deepest_subgraph) missed("fewer nested subgraphs");
  std::vector<u32> members;
  expect("{");
  while (!take("}"))
    if (!take(";")) read_statement(defaults, depth, members);
  return members;
}

std::vector<u32> DotReader::read_subgraph(const Defaults& defaults, int depth) {
  if (token_.is_word("subgraph")) {
    advance();
    if (token_.kind == Token::Kind::id) advance();
  }
  return read_block(defaults, depth + 1);
}

void DotReader::read_statement(Defaults& defaults, int depth, std::vector<u32>& members) {
  if (token_.is_word("graph") || token_.is_word("node") || token_.is_word("edge")) {
    const std::string word = lower(take_id());
    Attributes ignored;
    read_attributes(word == "node" ? defaults.node : word == "edge" ? defaults.edge : ignored);
    return;
  }
  if (token_.is_word("subgraph") || token_.is("{"))
    return read_chain(read_subgraph(defaults, depth), "", defaults, depth, members);
  const u64 line = token_.line;
  const std::string name = take_id();
  if (take("=")) return void(take_id());  // an attribute of the graph
  const u32 node = read_node(name, defaults, line);
  const std::string port = read_port();
  if (token_.is("--") || token_.is("->")) return read_chain({node}, port, defaults, depth, members);
  Attributes said;
  read_attributes(said);
  said.describe(raw_, raw_.nodes[node], line);
  members.push_back(node);
}

// a -- b -- c [attributes]: the attributes are those of every cable of the chain.
void DotReader::read_chain(std::vector<u32> first, std::string first_port, const Defaults& defaults,
                           int depth, std::vector<u32>& members) {
  struct Stop {
    std::vector<u32> nodes;
    std::string port;
  };
  std::vector<Stop> stops;
  stops.push_back({std::move(first), std::move(first_port)});
  const u64 line = token_.line;
  while (take("--") || take("->")) {
    if (token_.is_word("subgraph") || token_.is("{")) {
      stops.push_back({read_subgraph(defaults, depth), ""});
    } else {
      const u64 here = token_.line;
      const u32 node = read_node(take_id(), defaults, here);
      stops.push_back({{node}, read_port()});
    }
  }
  Attributes said = defaults.edge;
  read_attributes(said);
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const u64 product = u64{stops[i].nodes.size()} * stops[i + 1].nodes.size();
    if (product > 1 && (cables_of_groups_ += product) > max_cables_of_groups)
      raw_.fail(line, "found too many cables between groups; list them one by one");
    Attributes cable = said;
    if (!stops[i].port.empty()) cable.source_port = stops[i].port;
    if (!stops[i + 1].port.empty()) cable.target_port = stops[i + 1].port;
    for (u32 a : stops[i].nodes)
      for (u32 b : stops[i + 1].nodes) raw_.cables.push_back(cable.cable(raw_, a, b, line));
  }
  for (const Stop& stop : stops) members.insert(members.end(), stop.nodes.begin(), stop.nodes.end());
}

u32 DotReader::read_node(const std::string& name, const Defaults& defaults, u64 line) {
  if (name.empty()) raw_.fail(line, "found a node with an empty name");
  const u32 number = raw_.mention(name, line);
  RawNode& node = raw_.nodes[number];
  if (!std::exchange(node.defined, true)) defaults.node.describe(raw_, node, line);
  return number;
}

// node:3 is port 3 of the node, node:swp49 the port labelled so; points of the compass say where to draw an
// edge.
std::string DotReader::read_port() {
  std::string port;
  while (take(":")) {
    const std::string word = take_id();
    if (port.empty() && !is_compass_point(word)) port = word;
  }
  return port;
}

void DotReader::read_attributes(Attributes& out) {
  while (take("[")) {
    while (!take("]")) {
      const std::string name = take_id();
      const std::string value = take("=") ? take_id() : "true";
      const bool tail = name == "taillabel", head = name == "headlabel";
      if (!tail && !head)
        out.set(name, value);
      else if (parse_unsigned(value))
        out.set(tail ? "source_port" : "target_port", value);
      if (!take(",")) take(";");
    }
  }
}

}  // namespace

FabricFile read_dot(std::istream& in, const std::string& file) { return DotReader(in, file).run(); }

}  // namespace banyan::formats
