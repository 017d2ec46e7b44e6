// Reads YAML and JSON as a tree of lists, maps and texts, each with its line.
//
// Of YAML it reads what programs and people write into configurations: block and flow collections, plain and
// quoted scalars, block scalars, comments, several documents. Anchors, aliases, tags and keys that are no
// texts are refused, so a short file is a small tree. JSON is its flow style. Throws InputError.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace banyan::formats {

struct Tree {
  enum class Kind : u8 { nothing, text, list, map };

  Kind kind = Kind::nothing;
  u64 line = 0;
  std::string text{};               // of a scalar
  std::vector<std::string> keys{};  // of a map, as many as items
  std::vector<Tree> items{};        // of a map or a list

  const Tree* find(std::string_view key) const;  // in a map; null: there is none
  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_text() const { return kind == Kind::text; }
};

// The documents of a file: those that `---` parts, and JSON values one behind the other.
std::vector<Tree> read_trees(std::istream& in, const std::string& file);

// Asks a tree for what must be there; what is not is an InputError with file and line.
class TreeReader {
 public:
  explicit TreeReader(std::string file) : file_(std::move(file)) {}

  const Tree& map(const Tree& tree, std::string_view what) const;
  const Tree& list(const Tree& tree, std::string_view what) const;
  const std::string& text(const Tree& tree, std::string_view what) const;
  u64 number(const Tree& tree, std::string_view what, u64 maximum) const;
  const Tree& at(const Tree& map, std::string_view key) const;
  [[noreturn]] void fail(const Tree& tree, const std::string& what) const {
    throw InputError(Place{file_, tree.line}, what);
  }

 private:
  [[noreturn]] void missed(const Tree& tree, std::string_view what) const;
  std::string file_;
};

}  // namespace banyan::formats
