#include "report/size_report.hpp"

#include <fmt/format.h>

#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"

namespace banyan::report {

void write_report(std::ostream& out, const ask::SizeAnswer& answer, const ask::SizeOptions& asked,
                  const std::string& command) {
  const std::string rails = asked.rails > 1 ? fmt::format(" with {} NICs each", asked.rails) : "";
  const std::string title = fmt::format("{} hosts{}, switches of {} ports", asked.hosts, rails, asked.ports);
  write_page(out, title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "size").field("version", version()).field("title", title);
    json.field("command", command);
    ask::write_fields(json, answer);
    json.end_object();
  });
}

}  // namespace banyan::report
