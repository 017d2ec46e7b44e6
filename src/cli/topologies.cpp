// banyan topologies: the families of fabrics there are.
#include <fmt/format.h>

#include <iostream>

#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/verb.hpp"
#include "topology/family.hpp"

namespace banyan::cli {
namespace {

void print_json() {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", 0).key("topologies").begin_array();
  for (const Family& family : families())
    json.begin_object()
        .field("notation", family.notation)
        .field("example", family.example)
        .field("summary", family.summary)
        .field("source", family.source)
        .end_object();
  json.end_array().end_object();
}

void print_text() {
  for (const Family& family : families())
    std::cout << fmt::format("{}\n    {}\n    e.g. {}   [{}]\n", family.notation, family.summary,
                             family.example, family.source);
  std::cout
      << "\nOptions stand behind the numbers, host links first where there is one for each class of links:\n"
         "    XGFT(3; 18,18,18; 1,18,18; hosts=14, capacity=1/1/2, latency=1/1/4)\n"
         "Several rails: '4 x XGFT(...)' makes planes that share only hosts; the option rails=4 of a tree "
         "puts NIC r of\n"
         "a host on leaf r of its group of leaves, with the spines shared.\n";
}

struct Topologies {
  bool as_json = false;

  void declare(Arguments& arguments) { arguments.flag("--json", as_json, "for machines"); }
  Exit run() const {
    if (as_json)
      print_json();
    else
      print_text();
    return Exit::done;
  }
};

}  // namespace

Verb topologies_verb() {
  return make_verb<Topologies>("topologies", "The families of fabrics and how they are written",
                               "banyan topologies");
}

}  // namespace banyan::cli
