// Registry: the plug-ins of one kind (engines, patterns, formats, verbs ...), in the order of their .def
// file. It lists them, finds them by name, and refuses an unknown name with the nearest known one. A plug-in
// is a function in its own file and a line in the .def file:
//
//   const Registry<Engine>& engines() {
//     static const Registry<Engine> all{
//         "engine",
//   #define ENGINE(name) BANYAN_PLUGIN(Engine, name##_engine),
//   #include "engines/engines.def"
//   #undef ENGINE
//     };
//     return all;
//   }
#pragma once
#include <algorithm>
#include <concepts>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options.hpp"

// Declares the function in the enclosing namespace, and calls it.
#define BANYAN_PLUGIN(Type, function) \
  [] {                                \
    extern Type function();           \
    return function();                \
  }()

namespace banyan::base {

// Throws InputError: "unknown KIND 'NAME': did you mean '...'?", and lists the known names where they are
// few.
[[noreturn]] void refuse_name(std::string_view kind, std::string_view name,
                              const std::vector<std::string_view>& known);

// T has a `name`; bind() also needs its `options`. T may have `aliases`, further names by which it is found
// but not listed. Names are compared letter by letter, except by nearest().
template <class T>
class Registry {
 public:
  Registry(std::string_view kind, std::same_as<T> auto... each) : kind_(kind), all_{std::move(each)...} {}

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  const T& operator[](std::size_t i) const { return all_[i]; }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    for (const T& each : all_) out.push_back(each.name);
    return out;
  }

  const T* find(std::string_view name) const {
    for (const T& each : all_)
      if (each.name == name || has_alias(each, name)) return &each;
    return nullptr;
  }
  const T& at(std::string_view name) const {  // throws InputError
    if (const T* found = find(name)) return *found;
    refuse_name(kind_, name, names());
  }
  const T& nearest(std::string_view name) const { return *find(base::nearest(name, names())); }

  // Parses the user's text, NAME, NAME:VALUE or NAME:key=value,..., and checks name and keys. The result has
  // the plug-in's own name.
  PluginText bind(std::string_view text) const {  // throws InputError
    PluginText out = parse_plugin(text);
    const T& found = at(out.name);
    out.name = found.name;
    return with_known_keys(out, found.options);
  }

 private:
  static bool has_alias(const T& each, std::string_view name) {
    if constexpr (requires { each.aliases; })
      return std::find(each.aliases.begin(), each.aliases.end(), name) != each.aliases.end();
    return false;
  }

  std::string_view kind_;
  std::vector<T> all_;
};

}  // namespace banyan::base
