// In a list of fields: a value that may not exist. It is null in JSON and no row of a study, where an empty
// optional, which was not asked for, is left out.
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
