// The fields of an options struct as arguments of a verb: --KEY VALUE for each, or --KEY where it is true or
// false, from its list of fields.
#pragma once
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

template <class Options>
class OptionsArgument {
 public:
  // `reads_files`: those among the options are only read, so that the server may offer them.
  void declare(Arguments& arguments, bool reads_files = false) {
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (infos_[i].type == "boolean")
        arguments.flag("--" + infos_[i].key, flags_[i], infos_[i].meaning);
      else if (infos_[i].is_file && reads_files)
        arguments.input(infos_[i], texts_[i]);
      else
        arguments.option(infos_[i], texts_[i]);
    }
  }

  // What the help shows as the default of an option that the verb decides. Before declare().
  void show_default(std::string_view key, const std::string& value) {
    for (OptionInfo& info : infos_)
      if (info.key == key) info.default_value = value;
  }

  bool has_any() const {
    return std::any_of(infos_.begin(), infos_.end(), [&](const OptionInfo& info) { return has(info.key); });
  }
  template <class Some>  // one of these, which are among the fields
  bool has_any_of() const {
    const std::vector<OptionInfo> some = option_infos<Some>();
    return std::any_of(some.begin(), some.end(), [&](const OptionInfo& info) { return has(info.key); });
  }
  bool has(std::string_view key) const {
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].key == key) return flags_[i] || !texts_[i].empty();
    return false;
  }

  // What was given, as one would type it: " --key value --flag".
  std::string typed() const {
    std::string out;
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (!flags_[i] && texts_[i].empty()) continue;
      out += " --" + infos_[i].key;
      if (!flags_[i]) out += " " + quoted_for_shell(texts_[i]);
    }
    return out;
  }

  // Throws InputError for a value that cannot be read.
  Options read() const {
    PluginText text;
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (flags_[i] || !texts_[i].empty()) text.set(infos_[i].key, flags_[i] ? "true" : texts_[i]);
    return read_options<Options>(text);
  }

 private:
  std::vector<OptionInfo> infos_ = option_infos<Options>();
  std::vector<std::string> texts_ = std::vector<std::string>(infos_.size());
  std::deque<bool> flags_ = std::deque<bool>(infos_.size());
};

}  // namespace banyan::cli
