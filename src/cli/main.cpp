// The program: finds the verb, runs it, and turns failures into messages and exit statuses.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <new>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

void Arguments::positional(const std::string& name, std::string& value, const std::string& meaning) {
  app_.add_option(name, value, meaning)->required()->option_text(" ");
}
void Arguments::optional(const std::string& name, std::string& value, const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(" ");
}
void Arguments::several(const std::string& name, std::vector<std::string>& values,
                        const std::string& meaning) {
  app_.add_option(name, values, meaning)->option_text(" ");
}
void Arguments::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_.add_flag(name, value, meaning);
}
void Arguments::value(const std::string& name, std::string& value, const std::string& placeholder,
                      const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder);
}
void Arguments::value(const std::string& name, u32& value, const std::string& placeholder,
                      const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder);
}
void Arguments::values(const std::string& name, std::vector<std::string>& value,
                       const std::string& placeholder, const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder)->expected(1)->take_all();
}
void Arguments::pair(const std::string& name, std::vector<std::string>& value, const std::string& placeholder,
                     const std::string& meaning) {
  app_.add_option(name, value, meaning)->option_text(placeholder)->expected(2);
}

#define VERB(name) Verb name##_verb();
#include "cli/verbs.def"
#undef VERB

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
#define VERB(name) name##_verb(),
#include "cli/verbs.def"
#undef VERB
  };
  return all;
}

namespace {

void refuse_unknown_verb(int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string_view> known;
  for (const Verb& verb : verbs()) known.push_back(verb.name);
  if (std::find(known.begin(), known.end(), argv[1]) == known.end())
    throw InputError(fmt::format("unknown verb '{}': did you mean '{}'?", argv[1], nearest(argv[1], known)));
}

void refuse_unknown_option(const CLI::App& verb) {
  std::vector<std::string> options;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::vector<std::string_view> known(options.begin(), options.end());
  for (const std::string& extra : verb.remaining())
    if (extra.starts_with("-"))
      throw InputError(fmt::format("unknown option '{}': did you mean '{}'?", extra, nearest(extra, known)));
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
  for (const Verb& verb : verbs()) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    sub->group("Verbs");
    sub->footer("Example:\n  " + std::string(verb.example));
    Arguments arguments(*sub);
    sub->callback([&chosen, action = verb.declare(arguments)] { chosen = action; });
  }
  refuse_unknown_verb(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    for (const CLI::App* sub : app.get_subcommands()) refuse_unknown_option(*sub);
    throw InputError("too many arguments; 'banyan VERB --help' lists them");
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? Exit::done : Exit::bad_input;
  }
  return chosen();
}

// Without arguments: the quickstart study.
Exit quickstart() {
  const char* arguments[] = {"banyan", "study"};
  return run(2, arguments);
}

Exit guarded(int argc, const char* const* argv) {
  try {
    const Exit status = argc == 1 ? quickstart() : run(argc, argv);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output could not be written to the end");
    return status;
  } catch (const InputError& error) {
    std::cerr << "banyan: " << error.what() << '\n';
    return Exit::bad_input;
  } catch (const Interrupted&) {
    std::cerr << "banyan: interrupted\n";
    return Exit::interrupted;
  } catch (const std::bad_alloc&) {
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
