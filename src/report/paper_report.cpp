// The data of a paper's page: theirs beside ours, and the tables and figures that we show besides.
#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace banyan::report {
void write_report(std::ostream& out, const Paper& paper, const Reproduction& found,
                  const PaperOptions& options, const std::string& command) {
  write_page(out, paper.title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "paper").field("version", version()).field("title", paper.title);
    json.field("paper", paper.name).field("quick", options.quick).field("seed", options.seed);
    json.field("command", command);
    write_fields(json, found);
    json.end_object();
  });
}

}  // namespace banyan::report
