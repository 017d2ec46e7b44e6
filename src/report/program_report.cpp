#include "report/program_report.hpp"

#include <fmt/format.h>

#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"

namespace banyan::report {

void write_report(std::ostream& out, const ask::ProgramAnswer& answer, const std::string& program,
                  const std::string& fabric, const std::string& command) {
  const std::string title = fmt::format("{} on {}", program, fabric);
  write_page(out, title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "program").field("version", version()).field("title", title);
    json.field("command", command);
    ask::write_fields(json, answer);
    json.end_object();
  });
}

}  // namespace banyan::report
