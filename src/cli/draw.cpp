// banyan draw: where everything stands on a sheet.
#include <fmt/format.h>

#include <iostream>

#include "ask/draw.hpp"
#include "cli/answer_output.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"

namespace banyan::cli {
namespace {

class Draw {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::DrawAnswer>()}; }

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.json(as_json_);
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    const ask::DrawAnswer drawing = ask::draw_loaded(loaded);
    as_json_ ? print_json({.fabric = fabric_.fabric}, drawing) : print(drawing);
    return Exit::done;
  }

 private:
  static void print(const ask::DrawAnswer& drawing) {
    const FabricMap& d = drawing.map;
    std::cout << fmt::format("{}, drawn as {}: {:.0f} wide, {:.0f} high\n",
                             drawing.notation.empty() ? "an irregular fabric" : drawing.notation,
                             option_text(d.kind), d.box.right - d.box.left, d.box.bottom - d.box.top);
    for (const MapGroup& group : d.groups)
      if (group.parent == MapGroup::none)
        std::cout << fmt::format("  {:<20} {} hosts, {} switches\n", group.name, group.hosts, group.switches);
  }

  FabricArgument fabric_;
  bool as_json_ = false;
};

}  // namespace

Verb draw_verb() {
  return make_verb<Draw>("draw", "Where nodes stand on a sheet, and which groups they form",
                         "banyan draw 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --json");
}

}  // namespace banyan::cli
