// Options as texts, taken by the structs that have them. What is left in the end is refused.
#pragma once
#include <algorithm>
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
  // Throws InputError for an option that was not taken, naming the nearest of these, or was given twice.
  void finish(std::vector<OptionInfo> (*known)()) const;

 private:
  const Texts& texts_;
  std::vector<bool> taken_;
};

}  // namespace banyan::library
