// banyan engines: the routing engines there are.
#include "engines/engine.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/plugin_list.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {
namespace {

void print_json() {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", 0).key("engines").begin_array();
  for (const Engine& engine : engines::engines()) write_plugin(json, engine);
  json.end_array().end_object();
}

void print_text() {
  for (const Engine& engine : engines::engines()) print_plugin(std::cout, engine, 12);
  std::cout << "\nOptions are written behind the name: disjoint:paths=4, or disjoint:4 for the first one.\n";
}

struct Engines {
  bool as_json = false;

  void declare(Arguments& arguments) { arguments.flag("--json", as_json, "for machines"); }
  Exit run() const {
    as_json ? print_json() : print_text();
    return Exit::done;
  }
};

}  // namespace

Verb engines_verb() {
  return make_verb<Engines>("engines", "The routing engines, their papers and options", "banyan engines");
}

}  // namespace banyan::cli
