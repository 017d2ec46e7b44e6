#include "report/curve_report.hpp"

#include <fmt/format.h>

#include <ostream>

#include "report/page.hpp"

namespace banyan::report {
namespace {

template <class A>
void write_curve(std::ostream& out, const ask::AnswerHead& head, const ask::SimulatedWith& options,
                 const A& answer, const std::string& command) {
  const std::string router = head.engine ? *head.engine : head.tables.value_or("tables");
  const std::string title = fmt::format("{} on {} under {}", router, head.fabric.value_or("a fabric"),
                                        head.traffic.value_or("traffic"));
  write_page(out, title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "curve").field("title", title).field("command", command);
    ask::write_fields(json, head);
    json.key("options").begin_object();
    ask::write_fields(json, options);
    json.end_object();
    ask::write_fields(json, answer);
    json.end_object();
  });
}

}  // namespace

void write_report(std::ostream& out, const ask::AnswerHead& head, const ask::SimulatedWith& options,
                  const ask::CurveAnswer& answer, const std::string& command) {
  write_curve(out, head, options, answer, command);
}
void write_report(std::ostream& out, const ask::AnswerHead& head, const ask::SimulatedWith& options,
                  const ask::SaturationAnswer& answer, const std::string& command) {
  write_curve(out, head, options, answer, command);
}

}  // namespace banyan::report
