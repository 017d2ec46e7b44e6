#include "fabric/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "fabric/faults.hpp"

namespace banyan::fabric {
namespace {

struct Loss {
  std::string what;
  std::vector<Link> cables;
};

std::vector<Link> all_cables(const std::vector<Loss>& lost) {
  std::vector<Link> out;
  for (const Loss& one : lost) out.insert(out.end(), one.cables.begin(), one.cables.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

std::vector<CableChange> read_timeline(std::istream& in, const std::string& file, const Fabric& whole) {
  std::vector<CableChange> out;
  std::vector<Loss> lost;
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
      // A node takes all its cables with it, also those that are lost already.
      const bool is_node = what.starts_with("switch=") || what.starts_with("host=");
      try {
        lost.push_back({what, choose_cables(is_node ? whole : without(whole, all_cables(lost)), what, "")});
      } catch (const InputError& error) {
        fail(error.what());
      }
    } else {
      const auto found =
          std::find_if(lost.begin(), lost.end(), [&](const Loss& one) { return one.what == what; });
      if (found == lost.end())
        fail(fmt::format("found '{}' regained, expected something that is lost", what));
      lost.erase(found);
    }
    if (!out.empty() && out.back().time == time->value)
      out.back().lost = all_cables(lost);
    else
      out.push_back({time->value, all_cables(lost)});
  }
  if (out.empty())
    throw InputError(Place{file, 0},
                     "found no change of cables, expected lines such as 1.5ms lose link=s3:2");
  return out;
}

}  // namespace banyan::fabric
