#include "fabric/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace banyan::fabric {

std::vector<CableChange> read_timeline(std::istream& in, const std::string& file) {
  std::vector<CableChange> out;
  std::vector<std::string> lost;
  std::string line;
  for (u64 number = 1; std::getline(in, line); ++number) {
    std::replace(line.begin(), line.end(), '\t', ' ');
    const std::string_view text = trim(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    const auto fail = [&](const std::string& what) { throw InputError(Place{file, number}, what); };
    const std::size_t first = text.find(' ');
    const std::string_view rest = first == text.npos ? std::string_view{} : trim(text.substr(first));
    const std::size_t second = rest.find(' ');
    const auto time = parse_duration(text.substr(0, first));
    const std::string_view verb = rest.substr(0, second);
    if (!time || (verb != "lose" && verb != "regain") || second == rest.npos)
      fail(fmt::format("found '{}', expected a time, 'lose' or 'regain', and cables: 1.5ms lose link=s3:2",
                       text.substr(0, 60)));
    const std::string what(trim(rest.substr(second)));
    if (!out.empty() && time->value < out.back().time) fail("found a time before that of the line above");
    if (verb == "lose") {
      lost.push_back(what);
    } else {
      const auto found = std::find(lost.begin(), lost.end(), what);
      if (found == lost.end())
        fail(fmt::format("found '{}' regained, expected something that is lost", what));
      lost.erase(found);
    }
    if (!out.empty() && out.back().time == time->value)
      out.back().lost = lost;
    else
      out.push_back({time->value, lost});
  }
  return out;
}

}  // namespace banyan::fabric
