// The fields of an options struct as arguments of a verb: --KEY VALUE for each, from its list of fields.
#pragma once
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "base/options.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

template <class Options>
class OptionsArgument {
 public:
  void declare(Arguments& arguments) {
    for (std::size_t i = 0; i < infos_.size(); ++i)
      arguments.value("--" + infos_[i].key, given_[i], "X",
                      infos_[i].meaning + " (default " + infos_[i].default_value + ")");
  }

  bool is_given() const {
    for (const std::string& text : given_)
      if (!text.empty()) return true;
    return false;
  }

  bool has(std::string_view key) const {
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].key == key) return !given_[i].empty();
    return false;
  }

  bool has_any() const {
    for (const std::string& text : given_)
      if (!text.empty()) return true;
    return false;
  }

  // Throws InputError for a value that cannot be read.
  Options read() const {
    PluginText text;
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (!given_[i].empty()) text.set(infos_[i].key, given_[i]);
    return read_options<Options>(text);
  }

 private:
  std::vector<OptionInfo> infos_ = option_infos<Options>();
  std::vector<std::string> given_ = std::vector<std::string>(infos_.size());
};

// Every option and its value, as fields of the open object.
template <class Options>
void write_options(JsonWriter& json, const Options& options) {
  Options::fields(options, [&](std::string_view key, const auto& value, std::string_view) {
    std::string name(key);
    for (char& c : name)
      if (c == '-') c = '_';
    if constexpr (NamedChoice<std::remove_cvref_t<decltype(value)>>)
      json.field(name, option_text(value));
    else
      json.field(name, value);
  });
}

}  // namespace banyan::cli
