#include "formats/roles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "formats/infiniband_ids.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

constexpr u32 mellanox = 0x2c9, aggregation_device = 0xcf09;

// A name consists of words: runs of letters between digits and signs. `anywhere` is one of its words; `alone`
// is its only one, because it is too short to mean the same beside others.
enum class Where : u8 { anywhere, alone };
struct Rule {
  std::string_view word;  // * stands for any letters
  Role role;
  Where where = Where::anywhere;
};

// The first that matches decides: gateways and managers of storage are services.
constexpr auto rules = std::to_array<Rule>({
    {"*ufm", Role::service},  // no other word ends so, and sites put a letter before it
    {"opensm", Role::service},
    {"ibsm", Role::service},
    {"sm", Role::service, Where::alone},
    {"skyway", Role::service},
    {"bridgex", Role::service},
    {"gw", Role::service},
    {"gws", Role::service},
    {"ibgw", Role::service},
    {"gateway", Role::service},
    {"router", Role::service},
    {"rtr", Role::service},
    {"lnet", Role::service},
    {"login", Role::service},
    {"frontend", Role::service},
    {"bastion", Role::service},
    {"head", Role::service},
    {"headnode", Role::service},
    {"master", Role::service},
    {"admin", Role::service},
    {"mgmt", Role::service},
    {"mgt", Role::service},
    {"mgr", Role::service},
    {"management", Role::service},
    {"controller", Role::service},
    {"slurmctl", Role::service},
    {"slurmctld", Role::service},
    {"dtn", Role::service},

    {"oss", Role::storage},
    {"ost", Role::storage},
    {"mds", Role::storage},
    {"mdt", Role::storage},
    {"mgs", Role::storage},
    {"lustre", Role::storage},
    {"nsd", Role::storage},
    {"gpfs", Role::storage},
    {"ess", Role::storage, Where::alone},
    {"ddn", Role::storage},
    {"exascaler", Role::storage},
    {"vast", Role::storage},
    {"weka", Role::storage},
    {"wekaio", Role::storage},
    {"wekafs", Role::storage},
    {"beegfs", Role::storage},
    {"ceph", Role::storage},
    {"daos", Role::storage},
    {"panfs", Role::storage},
    {"netapp", Role::storage},
    {"isilon", Role::storage},
    {"flashblade", Role::storage},
    {"minio", Role::storage},
    {"nas", Role::storage},
    {"nfs", Role::storage},
    {"fs", Role::storage, Where::alone},
    {"filer", Role::storage},
    {"fileserver", Role::storage},
    {"stor", Role::storage},
    {"storage", Role::storage},
});

// Names of machines that nobody named.
constexpr auto placeholders = std::to_array<std::string_view>(
    {"localhost", "localhost4", "localhost6", "ubuntu", "debian", "centos", "rocky", "almalinux", "rhel",
     "redhat", "linux", "(none)", "none", "unknown", "hostname"});

// First words of descriptions that name a product and no host, if another word follows.
constexpr auto makers =
    std::to_array<std::string_view>({"mellanox", "nvidia", "qlogic", "intel", "cornelis", "voltaire", "cisco",
                                     "topspin", "sun", "oracle", "ibm", "hp", "hpe", "infiniband"});

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Both in small letters. After a mismatch the last * takes one character more.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

// Of the name without its domain, in small letters.
std::vector<std::string> words_of(std::string_view host) {
  std::vector<std::string> out;
  bool inside = false;
  for (char c : lower(host.substr(0, host.find('.')))) {
    if (is_letter(c) && !inside) out.emplace_back();
    inside = is_letter(c);
    if (inside) out.back() += c;
  }
  return out;
}

bool applies(const Rule& rule, const std::vector<std::string>& words) {
  if (rule.where == Where::alone) return words.size() == 1 && words[0] == rule.word;
  return std::any_of(words.begin(), words.end(), [&](auto& word) { return matches(rule.word, word); });
}

std::string_view host_of(std::string_view description) { return trim(split_description(description).host); }

// MT4129, ConnectX7, InfiniHost
bool is_product(std::string_view word) {
  if (word.starts_with("MT") && word.size() >= 6) return std::all_of(word.begin() + 2, word.end(), is_digit);
  const std::string family = lower(word);
  return family.starts_with("connectx") || family.starts_with("infinihost");
}

// HCA-1, but not Hca1: that is what simulated hosts are called.
bool is_adapter_only(std::string_view host) {
  return host.find_first_of("-_") != host.npos &&
         !split_description(fmt::format("x {}", host)).adapter.empty();
}

bool names_no_host(std::string_view description) {
  const std::string_view host = host_of(description);
  if (host.empty() || is_adapter_only(host)) return true;
  const auto end = host.find(' ');
  const std::string_view first = host.substr(0, end);
  if (lower(host).find("channel adapter") != std::string::npos) return true;
  return is_product(first) || (end != host.npos && contains(makers, lower(first)));
}

bool is_placeholder(std::string_view host) {
  return contains(placeholders, lower(host.substr(0, host.find('.'))));
}

// An aggregation node is an adapter inside a switch, on the port behind the last one with a socket: 41,
// 65, 81.
bool is_aggregation(const Endpoint& e, bool unnamed) {
  if (lower(e.description).find("aggregation node") != std::string::npos) return true;
  if (e.device != 0) return e.device == aggregation_device && e.vendor == mellanox;
  return unnamed && e.switch_ports % 2 == 1 && e.switch_ports > 1 && e.switch_port == e.switch_ports;
}

}  // namespace

EndpointRole role_of(const Endpoint& endpoint) {
  const bool unnamed = names_no_host(endpoint.description);
  if (is_aggregation(endpoint, unnamed)) return {Role::aggregation, unnamed};
  const std::string_view host = host_of(endpoint.description);
  if (endpoint.is_router || host.starts_with("MF0;")) return {Role::service, unnamed};
  const auto words = words_of(host);
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](auto& r) { return applies(r, words); });
  if (rule != rules.end()) return {rule->role, unnamed};
  return {unnamed || is_placeholder(host) ? Role::unknown : Role::host, unnamed};
}

std::vector<EndpointRole> roles_of(std::span<const Endpoint> endpoints, const RoleFile& file) {
  std::vector<EndpointRole> out;
  for (const Endpoint& endpoint : endpoints) out.push_back(role_of(endpoint));
  const auto are_hosts_if_none_is = [&](auto&& others) {
    if (std::ranges::any_of(out, [](auto& e) { return e.role == Role::host; })) return;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (others(out[i]) && !endpoints[i].is_router) out[i].role = Role::host;
  };
  are_hosts_if_none_is([](const EndpointRole& e) { return e.role == Role::unknown; });
  are_hosts_if_none_is(
      [](const EndpointRole& e) { return e.role == Role::service || e.role == Role::storage; });
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].role = file.find(endpoints[i].description).value_or(out[i].role);
  return out;
}

std::optional<Role> RoleFile::find(std::string_view description) const {
  const std::string whole = lower(trim(description)), host = lower(host_of(description));
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line)
    if (matches(line->pattern, host) || matches(line->pattern, whole)) return line->role;
  return std::nullopt;
}

void RoleFile::add(std::string pattern, Role role) { lines_.push_back({lower(pattern), role}); }

namespace {

std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
      return trim(line.substr(0, i));
  return trim(line);
}

}  // namespace

RoleFile read_roles(std::istream& in, const std::string& file) {
  RoleFile out;
  LineReader lines(in, file);
  while (lines.next()) {
    const std::string_view line = without_comment(lines.line());
    if (line.empty()) continue;
    const auto space = line.find_last_of(" \t");
    const auto names = option_names(Role{});
    const std::string_view word = line.substr(space == line.npos ? 0 : space + 1);
    const auto role = std::find(names.begin(), names.end(), word);
    if (space == line.npos)
      lines.fail(fmt::format("found {}, expected PATTERN ROLE, such as 'login* service'", shown(line)));
    if (role == names.end())
      lines.fail(fmt::format("found {}, expected a role: {}", shown(word), fmt::join(names, ", ")));
    const std::string_view pattern = trim(line.substr(0, space));
    if (pattern.find('[') != pattern.npos)
      lines.fail(fmt::format("found {}, expected a pattern with * and ? only", shown(pattern)));
    out.add(std::string(pattern), static_cast<Role>(role - names.begin()));
  }
  return out;
}

}  // namespace banyan::formats
