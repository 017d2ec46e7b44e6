// A verb of the program: what it is called, what it takes, what it does. Verbs are listed in verbs.def.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "serve/openapi.hpp"

namespace CLI {
class App;
}

namespace banyan::cli {

using serve::AnswerInfo;

// Exit status, the same for every verb.
enum class Exit : int { done = 0, verdict_no = 1, bad_input = 2, not_applicable = 3, interrupted = 130 };

// The arguments of a verb, declared once with the variable they fill and what they mean. A thin face of the
// command-line library, whose header is too heavy to include in every verb.
class Arguments {
 public:
  // Where --csv is given, the verb writes JSON and *wants_csv says what becomes of it; it must outlive the
  // parsing. Null: there is no --csv.
  explicit Arguments(CLI::App& app, bool* wants_csv = nullptr) : app_(app), wants_csv_(wants_csv) {}
  const std::vector<serve::ArgumentInfo>& served() const { return served_; }  // what a server may offer

  // Every argument as the help shows it, for man pages and completions.
  struct Listed {
    std::string name, placeholder, meaning;  // "--samples" or "FABRIC"; "" where it takes no value
    std::vector<std::string> choices{};      // where it is a choice among names
  };
  const std::vector<Listed>& listed() const { return listed_; }

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
  void option(const OptionInfo& option, std::string& value);  // a field of an options struct
  // Likewise, a file or folder that is only read, by open_input(): the server offers it, and reads what was
  // uploaded or lies below its folders.
  void input(const OptionInfo& option, std::string& value);
  // A file or folder of this machine: the server does not offer it.
  void file(const std::string& name, std::string& value, const std::string& placeholder,
            const std::string& meaning);
  // Likewise, a file that is written at the end: whether that is possible is checked before the verb runs.
  void output(const std::string& name, std::string& value, const std::string& placeholder,
              const std::string& meaning);
  // A file of this machine; where it is given, that argument by position may be left out. One of the two is
  // needed.
  void file_instead(const std::string& positional, const std::string& name, std::string& value,
                    const std::string& placeholder, const std::string& meaning);
  // What many verbs take.
  void threads(u32& value);
  void json(bool& value);  // and --csv
  void pair(const std::string& name, std::vector<std::string>& value, const std::string& placeholder,
            const std::string& meaning);

 private:
  void serve(std::string name, const std::string& meaning, std::string_view type = "string");

  CLI::App& app_;
  bool* wants_csv_;
  std::vector<serve::ArgumentInfo> served_;
  std::vector<Listed> listed_;
};

struct Verb {
  std::string_view name, summary, example;  // without an example it is left out of the help
  // Declares the arguments and gives the function that runs with them.
  std::function<Exit()> (*declare)(Arguments&);
  std::vector<AnswerInfo> (*answers)();  // what it may answer, where that is listed
};

// What a verb prints as JSON behind what was asked: the fields of these, one after the other.
template <ask::Answer... Parts>
AnswerInfo answer(std::string_view option = "") {
  std::vector<ask::FieldInfo> fields;
  const auto add = [&](const std::vector<ask::FieldInfo>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
  };
  (add(ask::fields_of<Parts>()), ...);
  return {option, std::move(fields)};
}

// V holds the arguments; its declare() names them, its run() does the work; its answers(), if it has them,
// lists what it prints as JSON.
template <class V>
Verb make_verb(std::string_view name, std::string_view summary, std::string_view example) {
  return {name, summary, example,
          [](Arguments& arguments) -> std::function<Exit()> {
            auto verb = std::make_shared<V>();
            verb->declare(arguments);
            return [verb] { return verb->run(); };
          },
          []() -> std::vector<AnswerInfo> {
            if constexpr (requires { V::answers(); })
              return V::answers();
            else
              return {};
          }};
}

const Registry<Verb>& verbs();
std::vector<serve::ArgumentInfo> arguments_of(const Verb& verb);  // those that a server may offer
std::vector<Arguments::Listed> listed_arguments_of(const Verb& verb);

}  // namespace banyan::cli
