#include "topology/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::topology {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Walks along a notation and says what it missed.
class Reader {
 public:
  Reader(std::string_view text, const Notation& notation) : rest_(text), notation_(notation) {}

  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  bool at_end() { return skip_space(), rest_.empty(); }
  bool sees(char c) { return skip_space(), !rest_.empty() && rest_.front() == c; }
  bool sees_digit() { return skip_space(), !rest_.empty() && is_digit(rest_.front()); }
  bool take(char c) {
    if (!sees(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) missed(fmt::format("'{}'", c));
  }
  u32 number() {
    skip_space();
    std::size_t end = 0;
    while (end < rest_.size() && is_digit(rest_[end])) ++end;
    const auto value = parse_unsigned(rest_.substr(0, end));
    if (end == 0) missed("a number");
    if (!value || *value > largest_number)
      notation_.fail(fmt::format("the number {} is too large", rest_.substr(0, end)));
    rest_.remove_prefix(end);
    return static_cast<u32>(*value);
  }
  std::string word(std::string_view also = "") {
    skip_space();
    std::size_t end = 0;
    while (end < rest_.size() &&
           (is_letter(rest_[end]) || rest_[end] == '_' || also.find(rest_[end]) != also.npos))
      ++end;
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return out;
  }
  std::string until_any(std::string_view stops) {
    const auto end = std::min(rest_.find_first_of(stops), rest_.size());
    std::string out(trim(rest_.substr(0, end)));
    rest_.remove_prefix(end);
    return out;
  }
  [[noreturn]] void missed(std::string_view expected) {
    skip_space();
    notation_.fail(
        fmt::format("expected {} {}", expected,
                    rest_.empty() ? std::string("at the end") : fmt::format("before '{}'", rest_)));
  }
  std::string_view rest() { return skip_space(), rest_; }

 private:
  std::string_view rest_;
  const Notation& notation_;
};

void read_option(Reader& in, Notation& out) {
  std::string key = in.word();
  if (key.empty()) in.missed("a number or an option such as hosts=4");
  in.expect('=');
  std::string value = in.until_any(",;)");
  if (value.empty()) in.missed(fmt::format("a value for {}", key));
  for (const auto& option : out.options)
    if (option.key == key) out.fail(fmt::format("{} is given twice", key));
  out.options.push_back({std::move(key), std::move(value)});
}

// "12x8", "4,4,8", "36 ports, 1944 hosts", and options among them.
void read_group(Reader& in, Notation& out) {
  out.groups.emplace_back();
  while (!in.sees(';') && !in.sees(')')) {
    if (in.sees_digit()) {
      Notation::Number number{in.number(), ""};
      const bool times =
          in.sees('x') && in.rest().size() > 1 && (is_digit(in.rest()[1]) || in.rest()[1] == ' ');
      if (!times) number.unit = in.word();
      out.groups.back().push_back(std::move(number));
      if (times)
        in.take('x');
      else if (!in.take(',') && !in.sees(';') && !in.sees(')'))
        in.missed("',' or ';' or ')'");
    } else {
      read_option(in, out);
      if (!in.take(',') && !in.sees(';') && !in.sees(')')) in.missed("',' or ';' or ')'");
    }
  }
  if (out.groups.back().empty()) out.groups.pop_back();
}

void read_arguments(Reader& in, Notation& out) {
  in.expect('(');
  read_group(in, out);
  while (in.take(';')) read_group(in, out);
  in.expect(')');
}

// "4-ary 3-tree": two numbers, each with a word.
void read_worded(Reader& in, Notation& out) {
  for (int i = 0; i < 2; ++i) {
    out.groups.push_back({{in.number(), ""}});
    in.expect('-');
    out.name += (i == 0 ? "-" : " -") + lower(in.word());
  }
  if (in.sees('(')) read_arguments(in, out);
}

}  // namespace

std::vector<u32> Notation::numbers(std::size_t group, std::string_view what) const {
  if (group >= groups.size()) fail(fmt::format("expected {}", what));
  std::vector<u32> out;
  for (const Number& number : groups[group]) {
    if (!number.unit.empty())
      fail(fmt::format("expected {}, found '{} {}'", what, number.value, number.unit));
    if (number.value == 0) fail(fmt::format("expected {}, all of them at least 1", what));
    out.push_back(number.value);
  }
  return out;
}

std::optional<std::string> Notation::word(std::string_view key) const {
  for (const Option& option : options)
    if (option.key == key) return option.value;
  return std::nullopt;
}

u32 Notation::number(std::string_view key, u32 fallback, u32 least) const {
  const auto value = word(key);
  if (!value) return fallback;
  const auto number = parse_unsigned(*value);
  if (!number || *number < least || *number > largest_number)
    fail(fmt::format("{} must be a whole number of at least {}, not '{}'", key, least, *value));
  return static_cast<u32>(*number);
}

std::vector<double> Notation::reals(std::string_view key) const {
  std::vector<double> out;
  if (const auto value = word(key))
    for (std::string_view piece : split(*value, '/')) {
      const auto real = parse_real(piece);
      if (!real || *real <= 0)
        fail(fmt::format("{} must be positive numbers like 1/2/4, not '{}'", key, *value));
      out.push_back(*real);
    }
  return out;
}

std::vector<u32> Notation::integers(std::string_view key) const {
  std::vector<u32> out;
  for (double real : reals(key)) {
    if (real != static_cast<u32>(real)) fail(fmt::format("{} must be whole numbers", key));
    out.push_back(static_cast<u32>(real));
  }
  return out;
}

void Notation::allow_options(std::vector<std::string_view> known) const {
  for (const Option& option : options)
    if (std::find(known.begin(), known.end(), option.key) == known.end())
      fail(fmt::format("unknown option '{}': did you mean '{}'?", option.key, nearest(option.key, known)));
}

void Notation::fail(const std::string& why) const { throw InputError(fmt::format("'{}': {}", text, why)); }

bool looks_like_notation(std::string_view text) {
  text = trim(text);
  const auto skip = [&](auto&& belongs) {
    const std::size_t before = text.size();
    while (!text.empty() && belongs(text.front())) text.remove_prefix(1);
    return before != text.size();
  };
  const auto is_space = [](char c) { return c == ' '; };
  if (skip(is_digit)) {
    if (text.starts_with('-')) return text.size() > 1 && is_letter(text[1]) && text.find(' ') != text.npos;
    skip(is_space);
    if (!text.starts_with('x') && !text.starts_with('X')) return false;
    return looks_like_notation(text.substr(1));
  }
  return skip([](char c) { return is_letter(c) || c == '+'; }) && (skip(is_space), text.starts_with('('));
}

Notation parse_notation(std::string_view text) {
  Notation out;
  out.text = std::string(trim(text));
  Reader in(out.text, out);
  std::string_view rest = in.rest();
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto after = std::min(rest.find_first_not_of(' ', digits), rest.size());
  if (digits > 0 && after + 1 < rest.size() && (rest[after] == 'x' || rest[after] == 'X')) {
    out.planes = in.number();
    in.take(rest[after]);
    if (out.planes == 0 || out.planes > 256) out.fail("expected 1 to 256 rails before 'x'");
  }
  if (in.sees_digit()) {
    read_worded(in, out);
  } else {
    out.name = in.word("+");
    if (out.name.empty()) in.missed("the name of a family");
    read_arguments(in, out);
  }
  if (!in.at_end()) in.missed("the end");
  return out;
}

}  // namespace banyan::topology
