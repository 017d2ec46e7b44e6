// banyan openapi: what the server offers, as docs/openapi.json, from what the verbs declare. Not in the help.
#include <array>
#include <iostream>

#include "cli/verb.hpp"

namespace banyan::cli {
namespace {

// In the order of the document. The last ones list what there is, and take nothing.
constexpr std::array<std::string_view, 14> asked = {"size",  "describe", "draw",  "path",   "check",
                                                    "route", "load",     "order", "assign", "time",
                                                    "fail",  "simulate", "diff",  "engines"};
constexpr std::array<std::string_view, 2> listing = {"topologies", "patterns"};

struct OpenApi {
  void declare(Arguments&) {}

  Exit run() const {
    std::vector<serve::VerbInfo> out;
    for (const std::string_view name : asked) {
      const Verb& verb = verbs().at(name);
      out.push_back({name, verb.summary, arguments_of(verb), verb.answers()});
    }
    for (const std::string_view name : listing) out.push_back({name, verbs().at(name).summary, {}, {}});
    std::cout << serve::openapi_text(out);
    return Exit::done;
  }
};

}  // namespace

Verb openapi_verb() {
  return make_verb<OpenApi>("openapi", "What the server offers, as docs/openapi.json", "");
}

}  // namespace banyan::cli
