#include "study/text_files.hpp"

#include <fmt/ranges.h>

#include "ask/situation.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
namespace {

template <class T>
std::string bound_with_files(const Registry<T>& all, std::string_view text, const FileChange& f) {
  PluginText plugin = all.bind(text);
  const auto& known = all.at(plugin.name).options;
  return plugin_text(with_files(std::move(plugin), known, f));
}

std::string job_with_files(std::string_view job, const FileChange& f) {
  std::vector<std::string> fields;
  for (const std::string_view field : split(job, ';')) {
    const auto equals = std::min(field.find('='), field.size() - 1);
    const std::string_view key = trim(field.substr(0, equals)), value = trim(field.substr(equals + 1));
    if (key == "traffic")
      fields.push_back(fmt::format("{}={}", key, bound_with_files(patterns(), value, f)));
    else if (key == "placement")
      fields.push_back(fmt::format("{}={}", key, bound_with_files(placement_rules(), value, f)));
    else
      fields.emplace_back(field);
  }
  return fmt::format("{}", fmt::join(fields, "; "));
}

}  // namespace

PluginText with_files(PluginText text, const std::vector<OptionInfo>& known, const FileChange& f) {
  for (auto& [key, value] : text.options)
    for (const OptionInfo& option : known)
      if (option.is_file && option.key == key && !value.empty()) value = f(value);
  return text;
}

std::string placement_with_files(const std::string& text, const FileChange& f) {
  return text.empty() ? text : bound_with_files(placement_rules(), text, f);
}

std::string traffic_with_files(const std::string& text, const FileChange& f) {
  if (text.empty()) return text;
  if (!ask::is_jobs(text)) return bound_with_files(patterns(), text, f);
  std::vector<std::string> jobs;
  for (const std::string_view job : split(text, '|')) jobs.push_back(job_with_files(job, f));
  return fmt::format("{}", fmt::join(jobs, " | "));
}

}  // namespace banyan::study
