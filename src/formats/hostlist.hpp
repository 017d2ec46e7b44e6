// Slurm's way to write many names: h[0-13,20],login.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace banyan::formats {

// In one file: a few letters can name any number of hosts.
constexpr std::size_t max_hostlist_names = 1 << 17;

// Appends the names; throws InputError without a place if the text is not a hostlist, or if with `used`
// others there are too many names for one file.
void expand_hostlist(std::string_view text, std::size_t used, std::vector<std::string>& out);
std::string compress_hostlist(
    const std::vector<std::string>& names);  // neighbours that count up become a range

// Whether a name can stand in such a list by itself.
bool is_hostlist_name(std::string_view name);

}  // namespace banyan::formats
