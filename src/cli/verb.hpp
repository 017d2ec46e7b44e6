// A verb of the program: what it is called, what it takes, what it does. Verbs are listed in verbs.def.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace CLI {
class App;
}

namespace banyan::cli {

// Exit status, the same for every verb.
enum class Exit : int { done = 0, verdict_no = 1, bad_input = 2, not_applicable = 3, interrupted = 130 };

// The arguments of a verb, declared once with the variable they fill and what they mean. A thin face of the
// command-line library, whose header is too heavy to include in every verb.
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(app) {}
  void positional(const std::string& name, std::string& value, const std::string& meaning);
  void optional(const std::string& name, std::string& value, const std::string& meaning);  // may be left out
  void several(const std::string& name, std::vector<std::string>& values,
               const std::string& meaning);  // any number, none included
  void flag(const std::string& name, bool& value, const std::string& meaning);
  void value(const std::string& name, std::string& value, const std::string& placeholder,
             const std::string& meaning);
  void value(const std::string& name, u32& value, const std::string& placeholder, const std::string& meaning);
  void values(const std::string& name, std::vector<std::string>& value, const std::string& placeholder,
              const std::string& meaning);
  void pair(const std::string& name, std::vector<std::string>& value, const std::string& placeholder,
            const std::string& meaning);

 private:
  CLI::App& app_;
};

struct Verb {
  std::string_view name, summary, example;
  // Declares the arguments and gives the function that runs with them.
  std::function<Exit()> (*declare)(Arguments&);
};

// V holds the arguments; its declare() names them, its run() does the work.
template <class V>
Verb make_verb(std::string_view name, std::string_view summary, std::string_view example) {
  return {name, summary, example, [](Arguments& arguments) -> std::function<Exit()> {
            auto verb = std::make_shared<V>();
            verb->declare(arguments);
            return [verb] { return verb->run(); };
          }};
}

const std::vector<Verb>& verbs();

}  // namespace banyan::cli
