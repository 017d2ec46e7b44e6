// OrNull: a value in a list of fields that may not exist. It is null in JSON and has no row in a study. An
// empty optional, in contrast, was not requested and is left out.
#pragma once
#include <optional>
#include <string>

namespace banyan::base {

template <class T>
struct OrNull {
  const T* value = nullptr;
};

template <class T>
OrNull<T> or_null(const std::optional<T>& value) {
  return {value ? &*value : nullptr};
}
inline OrNull<std::string> or_null(const std::string& text) { return {text.empty() ? nullptr : &text}; }

}  // namespace banyan::base
