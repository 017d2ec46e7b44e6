#include "report/ticket.hpp"

#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"
#include "study/picture.hpp"

namespace banyan::report {

void write_ticket(std::ostream& out, const Ticket& ticket, const ask::Situation& at,
                  const std::string& engine) {
  const study::Picture picture = study::make_picture(at, {}, {.has_map = true});
  write_page(out, ticket.title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "ticket").field("version", version()).field("title", ticket.title);
    json.field("command", ticket.command).field("answer", ticket.answer);
    json.field("broken", ticket.broken).field("steps", ticket.steps);
    json.key("costs").begin_array();
    for (const auto& [what, before, after] : ticket.costs)
      json.begin_object().field("what", what).field("before", before).field("after", after).end_object();
    json.end_array().key("drawing").begin_object().key("map").json(picture.map);
    json.key("pictures").begin_array().begin_object();
    json.field("fabric", ticket.title)
        .field("without", "what is missing")
        .field("engine", engine)
        .field("traffic", at.traffic);
    json.field("placement", "").key("found").json(picture.loads);
    json.end_object().end_array().end_object().end_object();
  });
}

}  // namespace banyan::report
