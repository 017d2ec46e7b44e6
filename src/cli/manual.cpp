// banyan manual: man pages, and completions for bash, zsh and fish, from what the verbs declare. Not in the
// help.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "base/version.hpp"
#include "cli/verb.hpp"
#include "engines/engine.hpp"
#include "traffic/pattern.hpp"

namespace banyan::cli {
namespace {

using Listed = Arguments::Listed;

bool is_option(const Listed& argument) { return argument.name.starts_with("--"); }

// What can stand behind an option, if that is a list of names.
std::vector<std::string> values_of(const Listed& argument) {
  std::vector<std::string> out = argument.choices;
  const auto add = [&](const auto& names) { out.insert(out.end(), names.begin(), names.end()); };
  if (argument.name == "--engine") add(engines::engines().names());
  if (argument.name == "--traffic") add(traffic::patterns().names());
  return out;
}

bool takes_file(const Listed& argument) {
  return argument.placeholder == "FILE" || argument.placeholder == "DIR" || argument.name == "FABRIC" ||
         argument.name == "PLAN" || argument.name == "OBSERVED";
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(from)) {
      out += to;
      at += from.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

// --- man pages
std::string roff(std::string_view text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (out.starts_with('.') || out.starts_with('\'')) out = "\\&" + out;
  return replaced(replaced(out, "\n.", "\n\\&."), "\n'", "\n\\&'");
}

std::string head_of(const std::string& name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"Banyan {}\" \"Banyan\"\n.SH NAME\n{} \\- {}\n",
                     replaced(name, "-", "\\-"), version().substr(0, version().find('+')),
                     replaced(name, "-", "\\-"), roff(summary));
}

std::string entry(const Listed& argument) {
  return fmt::format(
      ".TP\n\\fB{}\\fR{}\n{}\n", roff(argument.name),
      argument.placeholder.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(argument.placeholder)),
      roff(argument.meaning));
}

void write_page(std::ostream& out, const Verb& verb) {
  const std::vector<Listed> all = listed_arguments_of(verb);
  std::string names, arguments, options;
  for (const Listed& each : all) {
    (is_option(each) ? options : arguments) += entry(each);
    if (!is_option(each)) names += fmt::format(" \\fI{}\\fR", roff(each.name));
  }
  out << head_of("banyan-" + std::string(verb.name), verb.summary);
  out << fmt::format(".SH SYNOPSIS\n\\fBbanyan {}\\fR{} [\\fIOPTIONS\\fR]\n", verb.name, names);
  if (!arguments.empty()) out << ".SH ARGUMENTS\n" << arguments;
  out << ".SH OPTIONS\n" << options << entry({"--help", "", "print this list"});
  if (!verb.example.empty()) out << fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(verb.example));
  out << ".SH EXIT STATUS\n0: done. 1: the verdict is no. 2: bad input. 3: not applicable. 130: "
         "interrupted.\n";
  out << ".SH SEE ALSO\n.BR banyan (1)\n";
}

void write_overview(std::ostream& out) {
  out << head_of("banyan", "designs, routes, proves and simulates the networks of HPC and AI machines");
  out << ".SH SYNOPSIS\n\\fBbanyan\\fR \\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.SH VERBS\n";
  for (const Verb& verb : verbs())
    if (!verb.example.empty())
      out << fmt::format(".TP\n.BR banyan\\-{} (1)\n{}\n", verb.name, roff(verb.summary));
  out << ".SH OPTIONS\n"
      << entry({"--help", "", "list the verbs"}) << entry({"--version", "", "print the version"});
}

// --- completions
constexpr std::string_view shown_first = "help", meaning_of_help = "What a verb does, and its options",
                           meaning_of_options = "list the options";

std::string verb_names() {
  std::vector<std::string_view> out = {shown_first};
  for (const Verb& verb : verbs())
    if (!verb.example.empty()) out.push_back(verb.name);
  return fmt::format("{}", fmt::join(out, " "));
}

void write_bash(std::ostream& out) {
  out << "# Completion of banyan for bash. Made by 'banyan manual'.\n_banyan() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n";
  out << fmt::format(
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n    return\n  fi\n",
      verb_names());
  out << "  case \"${COMP_WORDS[1]}:$before\" in\n";
  for (const Verb& verb : verbs())
    for (const Listed& each : listed_arguments_of(verb))
      if (const auto values = values_of(each); !values.empty())
        out << fmt::format("    {}:{}) words='{}' ;;\n", verb.name, each.name, fmt::join(values, " "));
  out << "  esac\n  if [ -z \"$words\" ]; then\n    case \"${COMP_WORDS[1]}\" in\n";
  out << fmt::format("      help) words='{}' ;;\n", verb_names());
  for (const Verb& verb : verbs()) {
    std::vector<std::string> options = {"--help"};
    for (const Listed& each : listed_arguments_of(verb))
      if (is_option(each)) options.push_back(each.name);
    out << fmt::format("      {}) words='{}' ;;\n", verb.name, fmt::join(options, " "));
  }
  out << "    esac\n    case $current in -*) ;; *) [ \"${COMP_WORDS[1]}\" = help ] || words= ;; esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\ncomplete -o default -F _banyan banyan\n";
}

void write_zsh(std::ostream& out) {
  const auto quoted = [](std::string_view text) {
    std::string s = replaced(text, "\\", "\\\\");
    for (const std::string_view special : {"[", "]", ":"})
      s = replaced(s, special, "\\" + std::string(special));
    s = replaced(s, "'", "'\\''");
    return s;
  };
  out << "#compdef banyan\n# Completion of banyan for zsh. Made by 'banyan manual'.\n_banyan() {\n  local -a "
         "verbs options\n  verbs=(\n";
  out << fmt::format("    '{}:{}'\n", shown_first, meaning_of_help);
  for (const Verb& verb : verbs())
    if (!verb.example.empty()) out << fmt::format("    '{}:{}'\n", verb.name, quoted(verb.summary));
  out << "  )\n  options=('--help:list the verbs' '--version:print the version')\n"
         "  if (( CURRENT == 2 )); then\n    _describe verb verbs -- options\n    return\n  fi\n"
         "  case ${words[2]} in\n    help)\n      _describe verb verbs\n      ;;\n";
  for (const Verb& verb : verbs()) {
    out << fmt::format("    {})\n      _arguments \\\n", verb.name);
    for (const Listed& each : listed_arguments_of(verb)) {
      if (!is_option(each)) continue;
      const auto values = values_of(each);
      const std::string value = each.placeholder.empty() ? ""
                                : !values.empty()        ? fmt::format(":value:({})", fmt::join(values, " "))
                                : takes_file(each)       ? ":file:_files"
                                                         : fmt::format(":{}:", quoted(each.placeholder));
      out << fmt::format("        '{}[{}]{}' \\\n", each.name, quoted(each.meaning), value);
    }
    out << fmt::format("        '--help[{}]' \\\n        '*:file:_files'\n      ;;\n", meaning_of_options);
  }
  out << "  esac\n}\n_banyan \"$@\"\n";
}

void write_fish(std::ostream& out) {
  const auto quoted = [](std::string_view text) {
    return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
  };
  out << "# Completion of banyan for fish. Made by 'banyan manual'.\n";
  out << fmt::format("complete -c banyan -f -n __fish_use_subcommand -a {} -d '{}'\n", shown_first,
                     meaning_of_help);
  out << fmt::format("complete -c banyan -f -n '__fish_seen_subcommand_from {}' -a '{}'\n", shown_first,
                     verb_names());
  out << fmt::format("complete -c banyan -l help -d '{}'\n", meaning_of_options);
  out << "complete -c banyan -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const Verb& verb : verbs()) {
    if (!verb.example.empty())
      out << fmt::format("complete -c banyan -f -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                         quoted(verb.summary));
    for (const Listed& each : listed_arguments_of(verb)) {
      if (!is_option(each)) continue;
      const auto values = values_of(each);
      const std::string value = each.placeholder.empty() ? ""
                                : !values.empty()        ? fmt::format(" -x -a '{}'", fmt::join(values, " "))
                                : takes_file(each)       ? " -r -F"
                                                         : " -x";
      out << fmt::format("complete -c banyan -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                         verb.name, each.name.substr(2), value, quoted(each.meaning));
    }
  }
}

struct Manual {
  std::string folder;

  void declare(Arguments& arguments) {
    arguments.positional("DIR", folder,
                         "the folder share of a prefix: man1 and the shells' folders are made in it");
  }

  Exit run() const {
    const auto write = [&](const std::string& within, const std::string& name, auto&& content) {
      const std::filesystem::path path = std::filesystem::path(folder) / within;
      std::filesystem::create_directories(path);
      write_whole((path / name).string(), content);
    };
    write("man/man1", "banyan.1", write_overview);
    for (const Verb& verb : verbs())
      if (!verb.example.empty())
        write("man/man1", fmt::format("banyan-{}.1", verb.name),
              [&](std::ostream& out) { write_page(out, verb); });
    write("bash-completion/completions", "banyan", write_bash);
    write("zsh/site-functions", "_banyan", write_zsh);
    write("fish/vendor_completions.d", "banyan.fish", write_fish);
    return Exit::done;
  }
};

}  // namespace

Verb manual_verb() {
  return make_verb<Manual>("manual", "Writes man pages, and completions for bash, zsh and fish", "");
}

}  // namespace banyan::cli
