// Writes JSON to a stream in the order of the calls; nothing is buffered, and the header is cheap to include.
// The caller must nest begin and end calls correctly. Use nlohmann-json to read JSON.
#pragma once
#include <concepts>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_or_text.hpp"
#include "base/types.hpp"

namespace banyan::base {

class JsonWriter {
 public:
  enum class Form : u8 { lines, one_line };
  explicit JsonWriter(std::ostream& out, Form form = Form::lines) : out_(out), form_(form) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(double number);  // the shortest text that reads back as the same number
  JsonWriter& value(std::integral auto number) { return raw(std::to_string(number)); }
  JsonWriter& value(const NumberOrText& either) {
    return either.text.empty() ? value(either.number) : value(either.text);
  }
  template <class T>
  JsonWriter& value(const std::vector<T>& list) {
    begin_array();
    for (const T& item : list) value(item);
    return end_array();
  }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& json(std::string_view text) { return raw(text); }  // that is JSON already

  JsonWriter& field(std::string_view name, const auto& content) { return key(name).value(content); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view text);
  void separate();
  void newline();

  std::ostream& out_;
  Form form_;
  struct Level {
    bool is_object, is_empty, has_lines;
  };
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace banyan::base
