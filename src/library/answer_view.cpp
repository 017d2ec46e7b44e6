#include "library/answer_view.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/suggest.hpp"

namespace banyan::library {

std::optional<Value> AnswerView::find(std::string_view name) const {
  std::optional<Value> out;
  type_->each(held_, name, [&](std::string_view, Value value) { out = std::move(value); });
  return out;
}

std::string AnswerView::json() const {
  std::ostringstream out;
  JsonWriter writer(out);
  writer.begin_object();
  type_->write(held_.get(), writer);
  writer.end_object();
  return out.str();
}

// "... [with A = banyan::ask::RoundAnswer::Hot; ...]", as both compilers write it.
std::string short_type_name(std::string_view pretty) {
  pretty.remove_prefix(pretty.find("A = ") + 4);
  pretty = pretty.substr(0, pretty.find_first_of(";]<"));
  std::string out;
  for (std::size_t at = 0; at != pretty.npos;) {
    const std::size_t end = pretty.find("::", at);
    const std::string_view part = pretty.substr(at, end == pretty.npos ? end : end - at);
    if (!part.empty() && part[0] >= 'A' && part[0] <= 'Z') out += part;
    at = end == pretty.npos ? end : end + 2;
  }
  return out;
}

void refuse_field(const AnswerView& answer, std::string_view name) {
  std::vector<std::string_view> names;
  for (const FieldInfo& info : answer.infos()) {
    if (info.name == name)
      throw InputError(fmt::format("the answer has no '{}': it was not asked for ({})", name, info.meaning));
    names.push_back(info.name);
  }
  throw InputError(fmt::format("{} has no '{}'{}", answer.name(), name, did_you_mean(name, names)));
}

}  // namespace banyan::library
