// Options as texts, taken by the structs that have them. What is left in the end is refused.
#pragma once
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "library/questions.hpp"

namespace banyan::library {

// '-' and '_' are the same in keys.
bool is_same_key(std::string_view a, std::string_view b);

class Given {
 public:
  explicit Given(const Texts& texts) : texts_(texts), taken_(texts.size()) {}

  bool has(std::string_view key) const;
  // The options that O lists. Several structs may list the same one. Nothing is allocated for those that were
  // not given.
  template <class O>
  O take(O out = {}) {
    O::fields(out, [&](std::string_view key, auto& field, std::string_view) {
      for (std::size_t i = 0; i < texts_.size(); ++i)
        if (is_same_key(texts_[i].first, key)) {
          read_option_value(key, texts_[i].second, field);
          taken_[i] = true;
        }
    });
    return out;
  }
  // All values of an option that may be given several times.
  std::vector<std::string> take_all(std::string_view key);
  // Throws InputError for an option that was not taken, naming the nearest of these, or was given twice.
  void finish(const std::function<std::vector<OptionInfo>()>& known) const;

 private:
  const Texts& texts_;
  std::vector<bool> taken_;
  std::vector<std::string_view> repeatable_;
};

// A text for the program's command line, such as "--engine dmodk", as one for callers: "engine dmodk".
std::string without_dashes(std::string_view text);

}  // namespace banyan::library
