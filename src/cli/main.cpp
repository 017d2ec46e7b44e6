// The program: finds the verb, runs it, and turns failures into messages and exit statuses.
#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <span>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/csv_output.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

void Arguments::serve(std::string name, const std::string& meaning, std::string_view type) {
  const bool is_needed = !name.starts_with("--");
  name = lower(is_needed ? name : name.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  if (name != "json")
    served_.push_back({.key = name, .meaning = meaning, .type = type, .is_needed = is_needed});
}
void Arguments::positional(const std::string& name, std::string& value, const std::string& meaning) {
  app_.add_option(name, value, meaning)->required()->option_text(" ");
  listed_.push_back({name, "", meaning});
  serve(name, meaning);
}
void Arguments::optional(const std::string& name, std::string& value, const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(" ");
  listed_.push_back({"[" + name + "]", "", meaning});
}
void Arguments::several(const std::string& name, std::vector<std::string>& values,
                        const std::string& meaning) {
  app_.add_option(name, values, meaning)->option_text(" ");
  listed_.push_back({"[" + name + "]...", "", meaning});
}
void Arguments::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_.add_flag(name, value, meaning);
  listed_.push_back({name, "", meaning});
  serve(name, meaning, "boolean");
}
void Arguments::file(const std::string& name, std::string& value, const std::string& placeholder,
                     const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder);
  listed_.push_back({name, placeholder, meaning});
}
void Arguments::output(const std::string& name, std::string& value, const std::string& placeholder,
                       const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder)->each(check_writable);
  listed_.push_back({name, placeholder, meaning});
}
void Arguments::file_instead(const std::string& positional, const std::string& name, std::string& value,
                             const std::string& placeholder, const std::string& meaning) {
  CLI::Option* other = app_.get_option(positional);
  other->required(false);
  CLI::Option* own = app_.add_option(name, value, meaning)->option_text(placeholder);
  listed_.push_back({name, placeholder, meaning});
  app_.parse_complete_callback([other, own, positional] {
    if (other->count() == 0 && own->count() == 0) throw CLI::RequiredError(positional);
  });
}
void Arguments::value(const std::string& name, std::string& value, const std::string& placeholder,
                      const std::string& meaning) {
  file(name, value, placeholder, meaning);
  serve(name, meaning);
}
void Arguments::option(const OptionInfo& option, std::string& text) {
  const std::string otherwise = option.default_value.empty() ? "" : " (default " + option.default_value + ")";
  if (option.is_file) return file("--" + option.key, text, "FILE", option.meaning + otherwise);
  value("--" + option.key, text,
        option.type == "integer"  ? "N"
        : option.type == "number" ? "X"
                                  : "TEXT",
        option.meaning + otherwise);
  served_.back().type = option.type;
  served_.back().choices = option.choices;
  listed_.back().choices = option.choices;
}
void Arguments::input(const OptionInfo& option, std::string& text) {
  this->option(option, text);
  serve("--" + option.key, option.meaning);
}
void Arguments::value(const std::string& name, u32& value, const std::string& placeholder,
                      const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder);
  listed_.push_back({name, placeholder, meaning});
  serve(name, meaning, "integer");
}
void Arguments::values(const std::string& name, std::vector<std::string>& value,
                       const std::string& placeholder, const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder)->expected(1)->take_all();
  listed_.push_back({name, placeholder, meaning});
  serve(name, meaning);
  served_.back().is_list = true;
}
void Arguments::threads(u32& threads) {
  value("--threads", threads, "N", "number of threads (default: all cores)");
}
void Arguments::json(bool& value) {
  flag("--json", value, "print JSON, for programs");
  if (!wants_csv_) return;
  const std::string meaning = "print CSV, for spreadsheets";
  app_.add_flag_callback(
      "--csv", [&value, csv = wants_csv_] { value = *csv = true; }, meaning);
  listed_.push_back({"--csv", "", meaning});
}
void Arguments::pair(const std::string& name, std::vector<std::string>& value, const std::string& placeholder,
                     const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder)->expected(2);
  listed_.push_back({name, placeholder, meaning});
}

std::vector<serve::ArgumentInfo> arguments_of(const Verb& verb) {
  CLI::App app;
  Arguments arguments(app);
  verb.declare(arguments);
  return arguments.served();
}

std::vector<Arguments::Listed> listed_arguments_of(const Verb& verb) {
  CLI::App app;
  bool wants_csv = false;
  Arguments arguments(app, &wants_csv);
  verb.declare(arguments);
  return arguments.listed();
}

const Registry<Verb>& verbs() {
  static const Registry<Verb> all{
      "verb",
#define VERB(name) BANYAN_PLUGIN(Verb, name##_verb),
#include "cli/verbs.def"
#undef VERB
  };
  return all;
}

namespace {

// The verbs that take an option.
std::vector<std::string> verbs_with(const std::string& option, const CLI::App& program) {
  std::vector<std::string> out;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
    for (const CLI::Option* known : verb->get_options())
      for (const std::string& name : known->get_lnames())
        if (!verb->get_group().empty() && "--" + name == option) out.push_back(verb->get_name());
  return out;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

[[noreturn]] void refuse_option(const std::string& option, const std::vector<std::string_view>& known,
                                const std::string& of) {
  const std::string near = did_you_mean(option, known);
  throw InputError(fmt::format("unknown option '{}'{}", option,
                               near.empty() ? fmt::format("; '{} --help' lists them", of) : near));
}

// 'help' is no verb of the table, but may be misspelt like one.
void refuse_unknown_verb(std::string_view name) {
  if (verbs().find(name)) return;
  std::vector<std::string_view> known = verbs().names();
  known.push_back("help");
  refuse_name("verb", name, known);
}

// An option before any verb: of the program there are few.
void refuse_unknown_first(const CLI::App& program, const std::string& option) {
  for (const CLI::Option* known : program.get_options())  // get_option_no_throw() ends without memory
    if (known->check_name(option)) return;
  if (const auto others = verbs_with(option, program); !others.empty())
    throw InputError(
        fmt::format("{} stands behind a verb that takes it: {}", option, fmt::join(others, ", ")));
  const std::vector<std::string> options = options_of(program);
  const std::vector<std::string_view> known(options.begin(), options.end());
  refuse_option(option, known, "banyan");
}

void refuse_unknown_option(const CLI::App& verb) {
  const std::vector<std::string> options = options_of(verb);
  const std::vector<std::string_view> known(options.begin(), options.end());
  for (const std::string& extra : verb.remaining()) {
    if (!extra.starts_with("-")) continue;
    const std::string option = extra.substr(0, extra.find('='));
    if (const auto others = verbs_with(option, *verb.get_parent()); !others.empty())
      throw InputError(fmt::format("{} takes no {}; these verbs do: {}", verb.get_name(), option,
                                   fmt::join(others, ", ")));
    refuse_option(option, known, "banyan " + verb.get_name());
  }
}

// An option that would take the next option as its value, or that stands last.
void refuse_missing_value(const CLI::App& verb, std::span<const char* const> arguments) {
  const auto known = [&](std::string_view text) -> const CLI::Option* {
    const std::string name(text.substr(0, text.find('=')));
    for (const CLI::Option* option : verb.get_options())
      if (name.starts_with("--") && option->check_name(name)) return option;
    return nullptr;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CLI::Option* option = known(arguments[i]);
    if (!option || option->get_items_expected_min() == 0 ||
        std::string_view(arguments[i]).find('=') != std::string_view::npos)
      continue;
    const bool is_last = i + 1 == arguments.size();
    if (is_last || known(arguments[i + 1]))
      throw InputError(fmt::format("{}: expected a value{}; 'banyan {} --help' says which", arguments[i],
                                   is_last ? "" : fmt::format(", found {}", arguments[i + 1]),
                                   verb.get_name()));
    ++i;
  }
}

// CLI11 says "Could not convert: --threads = x" of options that are numbers.
[[noreturn]] void refuse_number(std::string_view said) {
  const std::string_view given = said.substr(std::min(said.size(), said.find("--")));
  const std::size_t equals = given.find(" = ");
  if (equals == given.npos) throw InputError(std::string(said));
  throw InputError(
      fmt::format("{}: expected a number, found '{}'", given.substr(0, equals), given.substr(equals + 3)));
}

// Runs a verb that prints JSON, and prints CSV instead.
Exit as_csv(const Verb& verb, const std::function<Exit()>& run_verb) {
  struct Captured {
    std::ostringstream text;
    std::streambuf* before = std::cout.rdbuf(text.rdbuf());
    ~Captured() { std::cout.rdbuf(before); }
  };
  auto captured = std::make_unique<Captured>();
  const Exit status = run_verb();
  const std::string json = captured->text.str();
  captured.reset();
  write_answer_csv(std::cout, json, verb.answers());
  return status;
}

Exit run(int argc, const char* const* argv) {
  CLI::App app("Banyan designs, routes, proves and simulates the networks of HPC and AI machines.", "banyan");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("banyan: ") + error.what() +
           "\nRun 'banyan VERB --help' for the arguments of a verb.\n";
  });
  std::function<Exit()> chosen;
  bool wants_csv = false;
  for (const Verb& verb : verbs()) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    sub->group(verb.example.empty() ? "" : "Verbs");
    sub->footer("Example:\n  " + std::string(verb.example));
    Arguments arguments(*sub, &wants_csv);
    sub->callback([&chosen, action = verb.declare(arguments)] { chosen = action; });
  }
  if (argc > 1 && argv[1][0] != '-') refuse_unknown_verb(argv[1]);
  if (argc > 1 && argv[1][0] == '-') refuse_unknown_first(app, argv[1]);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    if (argc > 2 && sub->get_name() == argv[1])
      refuse_missing_value(*sub, {argv + 2, static_cast<std::size_t>(argc - 2)});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    for (const CLI::App* sub : app.get_subcommands()) refuse_unknown_option(*sub);
    throw InputError(fmt::format("too many arguments; 'banyan {} --help' lists them", argv[1]));
  } catch (const CLI::ConversionError& error) {
    refuse_number(error.what());
  } catch (const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::RequiredError*>(&error))  // a misspelt option took the argument's place
      for (const CLI::App* sub : app.get_subcommands()) refuse_unknown_option(*sub);
    return app.exit(error, std::cout, std::cerr) == 0 ? Exit::done : Exit::bad_input;
  }
  if (wants_csv && std::find(argv, argv + argc, std::string_view("--json")) != argv + argc)
    throw InputError("--json and --csv: expected one of them");
  return wants_csv ? as_csv(verbs().at(argv[1]), chosen) : chosen();
}

// Without arguments: the quickstart study.
Exit quickstart() {
  std::cerr
      << "banyan: no verb was given: this is the quickstart, 'banyan study'; 'banyan help' lists the verbs\n";
  const char* arguments[] = {"banyan", "study"};
  return run(2, arguments);
}

// 'banyan help' and 'banyan help VERB'.
Exit help(int argc, const char* const* argv) {
  if (argc > 3) throw InputError("help takes one verb");
  const bool is_of_verb = argc == 3 && std::string_view(argv[2]) != "help";
  const char* arguments[] = {"banyan", is_of_verb ? argv[2] : "--help", "--help"};
  return run(is_of_verb ? 3 : 2, arguments);
}

Exit dispatch(int argc, const char* const* argv) {
  if (argc == 1) return quickstart();
  return std::string_view(argv[1]) == "help" ? help(argc, argv) : run(argc, argv);
}

Exit guarded(int argc, const char* const* argv) {
  try {
    const Exit status = dispatch(argc, argv);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output could not be written to the end");
    return status;
  } catch (const InputError& error) {
    std::cerr << "banyan: " << error.what() << '\n';
    return Exit::bad_input;
  } catch (const Interrupted&) {
    std::cerr << "banyan: interrupted\n";
    return Exit::interrupted;
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << "banyan: " << error.what() << '\n';
    return Exit::bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "banyan: not enough memory for this\n";
    return Exit::bad_input;
  } catch (const std::length_error&) {  // of a vector
    std::cerr << "banyan: not enough memory for this\n";
    return Exit::bad_input;
  }
}

}  // namespace
}  // namespace banyan::cli

int main(int argc, char** argv) {
  banyan::base::catch_interrupts();
  return static_cast<int>(banyan::cli::guarded(argc, argv));
}
