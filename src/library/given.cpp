#include "library/given.hpp"

#include <fmt/format.h>

#include "base/suggest.hpp"

namespace banyan::library {

bool is_same_key(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return x == y || (x == '_' && y == '-') || (x == '-' && y == '_');
  });
}

bool Given::has(std::string_view key) const {
  return std::any_of(texts_.begin(), texts_.end(),
                     [&](const auto& text) { return is_same_key(text.first, key); });
}

std::vector<std::string> Given::take_all(std::string_view key) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (is_same_key(texts_[i].first, key)) {
      out.push_back(texts_[i].second);
      taken_[i] = true;
    }
  repeatable_.push_back(key);
  return out;
}

void Given::finish(const std::function<std::vector<OptionInfo>()>& known) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (taken_[i]) continue;
    const std::vector<OptionInfo> options = known();
    std::vector<std::string_view> keys;
    for (const OptionInfo& option : options) keys.push_back(option.key);
    throw InputError(fmt::format("unknown option '{}'{}", texts_[i].first,
                                 keys.empty() ? ": there are none" : did_you_mean(texts_[i].first, keys)));
  }
  const auto may_repeat = [&](std::string_view key) {
    return std::any_of(repeatable_.begin(), repeatable_.end(),
                       [&](std::string_view other) { return is_same_key(key, other); });
  };
  for (std::size_t i = 0; i < texts_.size(); ++i)
    for (std::size_t j = i + 1; j < texts_.size(); ++j)
      if (is_same_key(texts_[i].first, texts_[j].first) && !may_repeat(texts_[i].first))
        throw InputError(fmt::format("option '{}' was given twice", texts_[i].first));
}

std::string without_dashes(std::string_view text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(';
    if (begins && i + 2 < text.size() && text[i] == '-' && text[i + 1] == '-' && is_letter(text[i + 2]))
      i += 2;
    out += text[i];
  }
  return out;
}

}  // namespace banyan::library
