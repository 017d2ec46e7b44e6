#include "formats/rail_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/text.hpp"

namespace banyan::formats {
namespace {

constexpr u32 nothing = ~u32{0};  // no leaf, name, position or rail
constexpr std::size_t max_candidates = 64, max_groups = 64;

// "mlx5_12" -> "mlx#_#"
std::string style_of(std::string_view name) {
  std::string out;
  for (char c : lower(name)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || out.empty() || out.back() != '#') out += digit ? '#' : c;
  }
  return out;
}

struct Adapter {
  u32 host, index;  // where it was given
  u32 leaf = nothing;
  u32 name = nothing;      // number of its name
  u32 position = nothing;  // in its group, if it has one
  u32 rail = nothing;
  bool guessed = false;
};

// Hosts whose adapters are named alike: each name of `names` is a position. Without names, positions are the
// order of the file.
struct Group {
  std::vector<u32> names{};  // ascending
  u32 positions = 0;
  std::vector<u32> members{};  // adapters of hosts with several
  std::vector<u32> pure{};     // positions with leaves of their own, none or several: the rails it shows
  std::vector<u32> rail{};     // by position
  bool guessed = false;
};

using NameSet = std::vector<u32>;  // ascending

bool covers(const NameSet& all, const NameSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Sets of names with how many hosts have each. Removes the set that covers most hosts, and those it covers.
NameSet take_best(std::vector<std::pair<NameSet, u32>>& sets) {
  std::stable_sort(sets.begin(), sets.end(),
                   [](auto& a, auto& b) { return a.second * a.first.size() > b.second * b.first.size(); });
  NameSet best;
  u64 most = 0;
  for (std::size_t i = 0; i < std::min(sets.size(), max_candidates); ++i) {
    u64 hosts = 0;
    for (const auto& [names, count] : sets) hosts += covers(sets[i].first, names) ? count : 0;
    if (hosts > most) most = hosts, best = sets[i].first;
  }
  std::erase_if(sets, [&](auto& entry) { return covers(best, entry.first); });
  return best;
}

class RailFinder {
 public:
  explicit RailFinder(std::span<const std::vector<AdapterSeen>> hosts) : hosts_(hosts) { collect(); }

  FoundRails run() {
    if (says_rails())
      complete_rails();
    else if (find_groups(); choose_reference())
      spread_reference();
    drop_repeated();
    if (!says_rails()) close_gaps();
    return result();
  }

 private:
  // What counts of adapters by rail say of a leaf.
  struct Tally {
    std::map<u32, u32> count;
    u32 total = 0;
    void add(u32 rail) { ++count[rail], ++total; }
    u32 most() const {
      return std::max_element(count.begin(), count.end(),
                              [](auto& a, auto& b) { return a.second < b.second; })
          ->first;
    }
    bool is_pure() const { return total > 0 && 5 * count.at(most()) >= 4 * total; }
  };

  void collect();
  bool says_rails() const;
  void complete_rails();
  void find_groups();
  void group_style(const std::vector<u32>& adapters);
  void group_unnamed(const std::vector<u32>& adapters);
  void find_pure(Group& group) const;
  bool choose_reference();
  void spread_reference();
  void align(Group& group);
  std::vector<u32> by_order(const Group& group) const;
  std::vector<u32> by_leaves(const Group& group) const;
  void assign(const Group& group);
  void label_leaves(bool with_single_hosts);
  void follow_leaves();
  void move_hosts();
  void drop_repeated();
  void close_gaps();
  FoundRails result();
  void order_slots(FoundRails& out) const;
  std::string rails_in_words() const;

  bool says_rail(const Adapter& a) const { return hosts_[a.host][a.index].rail.has_value(); }
  // 2: by name and on a leaf of its rail, 1: one of these.
  int is_known(const Adapter& a) const { return !a.guessed + (label(a.leaf) == a.rail); }
  bool is_single(const Adapter& a) const { return hosts_[a.host].size() == 1; }
  u32 label(u32 leaf) const { return leaf == nothing ? nothing : labels_[leaf]; }

  std::span<const std::vector<AdapterSeen>> hosts_;
  std::vector<Adapter> adapters_;   // by host
  std::vector<u32> first_;          // by host: its first adapter, and an end
  std::vector<std::string> names_;  // in natural order
  std::vector<Group> groups_;
  std::vector<u32> labels_;  // by leaf: its rail
  u32 rails_ = 0;
  std::string how_;
};

void RailFinder::collect() {
  struct InOrder {
    bool operator()(const std::string& a, const std::string& b) const {
      return natural_less(a, b) || (!natural_less(b, a) && a < b);
    }
  };
  std::map<std::string, u32, InOrder> names;  // in small letters
  for (const auto& host : hosts_)
    for (const AdapterSeen& seen : host)
      if (!seen.name.empty()) names.emplace(lower(seen.name), 0);
  for (u32 next = 0; auto& [name, number] : names) number = next++;
  names_.resize(names.size());
  std::unordered_map<u32, u32> leaves;
  for (u32 h = 0; h < hosts_.size(); ++h) {
    first_.push_back(static_cast<u32>(adapters_.size()));
    for (u32 i = 0; i < hosts_[h].size(); ++i) {
      const AdapterSeen& seen = hosts_[h][i];
      Adapter a{h, i};
      if (seen.leaf) a.leaf = leaves.emplace(*seen.leaf, static_cast<u32>(leaves.size())).first->second;
      if (!seen.name.empty()) {
        a.name = names.at(lower(seen.name));
        names_[a.name] = std::max(names_[a.name], std::string(seen.name));
      }
      adapters_.push_back(a);
    }
  }
  first_.push_back(static_cast<u32>(adapters_.size()));
  labels_.assign(leaves.size(), nothing);
}

bool RailFinder::says_rails() const {
  return std::any_of(adapters_.begin(), adapters_.end(), [&](auto& a) { return says_rail(a); });
}

// The file says rails of some adapters. Others have the rail that all adapters of their name have, or else
// that of their leaf.
void RailFinder::complete_rails() {
  std::map<u32, std::set<u32>> by_name;
  for (Adapter& a : adapters_)
    if (const auto rail = hosts_[a.host][a.index].rail) {
      a.rail = *rail;
      if (a.name != nothing) by_name[a.name].insert(*rail);
    }
  label_leaves(true);
  for (Adapter& a : adapters_) {
    if (a.rail != nothing) continue;
    const auto named = by_name.find(a.name);
    a.rail = named != by_name.end() && named->second.size() == 1 ? *named->second.begin() : label(a.leaf);
    a.guessed = a.rail != nothing;
  }
  how_ = "rails as the file says";
}

// Adapters by style. What a host calls HCA-1 and mlx5_1 at once is in two groups.
void RailFinder::find_groups() {
  std::map<std::string, std::vector<u32>> styles;
  for (u32 i = 0; i < adapters_.size(); ++i)
    if (!is_single(adapters_[i]))
      styles[adapters_[i].name == nothing ? "" : style_of(names_[adapters_[i].name])].push_back(i);
  for (const auto& [style, adapters] : styles)
    style.empty() ? group_unnamed(adapters) : group_style(adapters);
  for (Group& group : groups_) find_pure(group);
}

// Splits a style into kinds of hosts: the names of the hosts that cover most others are the first kind. A
// host with a gap has some of the names of its kind.
void RailFinder::group_style(const std::vector<u32>& adapters) {
  std::map<u32, NameSet> by_host;
  for (u32 i : adapters) by_host[adapters_[i].host].push_back(adapters_[i].name);
  std::map<NameSet, u32> sets;  // and how many hosts have it
  for (auto& [host, names] : by_host) {
    std::sort(names.begin(), names.end());
    ++sets[names];
  }
  std::vector<std::pair<NameSet, u32>> left(sets.begin(), sets.end());
  while (!left.empty() && groups_.size() < max_groups) {
    const NameSet best = take_best(left);
    Group group{best, static_cast<u32>(best.size())};
    for (u32 i : adapters) {
      Adapter& a = adapters_[i];
      if (a.position != nothing || !covers(best, by_host[a.host])) continue;
      a.position = static_cast<u32>(std::lower_bound(best.begin(), best.end(), a.name) - best.begin());
      group.members.push_back(i);
    }
    groups_.push_back(std::move(group));
  }
}

// Of the hosts with the most common number of nameless adapters, each has its position in the file.
void RailFinder::group_unnamed(const std::vector<u32>& adapters) {
  std::map<u32, std::vector<u32>> by_host;
  for (u32 i : adapters) by_host[adapters_[i].host].push_back(i);
  std::map<u32, u32> adapters_by_count;
  for (const auto& [host, own] : by_host)
    adapters_by_count[static_cast<u32>(own.size())] += static_cast<u32>(own.size());
  const u32 common =
      std::max_element(adapters_by_count.begin(), adapters_by_count.end(), [](auto& a, auto& b) {
        return a.second < b.second;
      })->first;
  Group group{{}, common};
  group.guessed = true;
  for (const auto& [host, own] : by_host)
    for (u32 i = 0; own.size() == common && i < common; ++i) {
      adapters_[own[i]].position = i;
      group.members.push_back(own[i]);
    }
  groups_.push_back(std::move(group));
}

// A position has leaves of its own if three quarters of its adapters are on leaves where four fifths are of
// that position. Leaves with a single adapter prove nothing: two positions must have others. Nor does a
// position that few hosts have make a rail.
void RailFinder::find_pure(Group& group) const {
  std::map<u32, Tally> leaves;
  std::vector<u32> all(group.positions), seen(all), at_home(all), proven(all);
  for (u32 i : group.members) {
    const Adapter& a = adapters_[i];
    ++all[a.position];
    if (a.leaf != nothing) leaves[a.leaf].add(a.position);
  }
  for (const auto& [leaf, tally] : leaves) {
    for (const auto& [position, count] : tally.count) seen[position] += count;
    if (!tally.is_pure()) continue;
    at_home[tally.most()] += tally.count.at(tally.most());
    if (tally.total > 1) proven[tally.most()] = 1;
  }
  const u32 most = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  u32 proofs = 0;
  for (u32 p = 0; p < group.positions; ++p) {
    if (at_home[p] == 0 || 4 * at_home[p] < 3 * seen[p] || 4 * all[p] < most) continue;
    group.pure.push_back(p);
    proofs += proven[p];
  }
  if (proofs < 2) group.pure.clear();
}

// The largest group with rails numbers them. A second adapter of a few hosts makes no rail: of the fabric's
// adapters at least one in as many as there are rails belongs to a group with rails.
bool RailFinder::choose_reference() {
  const auto several = static_cast<u64>(
      std::count_if(adapters_.begin(), adapters_.end(), [&](auto& a) { return !is_single(a); }));
  how_ = several == 0 ? "no rails: no host has several adapters"
                      : "no rails: leaf switches do not keep the places of adapters apart";
  std::stable_sort(groups_.begin(), groups_.end(), [](auto& a, auto& b) {
    return std::pair(a.pure.empty(), b.members.size()) < std::pair(b.pure.empty(), a.members.size());
  });
  u64 railed = 0, rails = 0;
  for (const Group& group : groups_) {
    if (group.pure.empty()) break;
    railed += group.members.size();
    rails = groups_.front().pure.size();
  }
  if (rails > 0 && several * rails < adapters_.size()) how_ = "no rails: few hosts have several adapters";
  return rails > 0 && railed * rails >= adapters_.size();
}

void RailFinder::spread_reference() {
  Group& first = groups_.front();
  rails_ = static_cast<u32>(first.pure.size());
  first.rail = by_order(first);
  assign(first);
  label_leaves(false);
  for (std::size_t g = 1; g < groups_.size(); ++g) {
    align(groups_[g]);
    assign(groups_[g]);
  }
  label_leaves(false);
  move_hosts();
  follow_leaves();
}

// Rails by the order of positions: of those with leaves of their own, or of all if there are as many as
// rails.
std::vector<u32> RailFinder::by_order(const Group& group) const {
  std::vector<u32> out(group.positions, nothing);
  if (!group.pure.empty() || group.positions != rails_)
    for (u32 i = 0; i < group.pure.size(); ++i) out[group.pure[i]] = i;
  else
    std::iota(out.begin(), out.end(), 0);
  return out;
}

// The rail that three quarters of a position's adapters have by their leaves, unless few leaves tell.
std::vector<u32> RailFinder::by_leaves(const Group& group) const {
  std::vector<Tally> votes(group.positions);
  std::vector<u32> voters(group.positions);
  for (u32 i : group.members) {
    const Adapter& a = adapters_[i];
    ++voters[a.position];
    if (const u32 rail = label(a.leaf); rail != nothing) votes[a.position].add(rail);
  }
  std::vector<u32> out(group.positions, nothing);
  for (u32 p = 0; p < group.positions; ++p)
    if (votes[p].total > 0 && 4 * votes[p].total >= voters[p] &&
        4 * votes[p].count.at(votes[p].most()) >= 3 * votes[p].total)
      out[p] = votes[p].most();
  return out;
}

// Rails of a further group: by the order of its names where the leaves that it shares with others agree, by
// these leaves otherwise. What has leaves that no other group has is a rail of its own then.
void RailFinder::align(Group& group) {
  const std::vector<u32> order = by_order(group), leaves = by_leaves(group);
  bool agree = true, voted = false;
  for (u32 p = 0; p < group.positions; ++p) {
    voted = voted || leaves[p] != nothing;
    agree = agree && (leaves[p] == nothing || leaves[p] == order[p]);
  }
  const bool as_many = group.pure.size() == rails_ || (group.pure.empty() && group.positions == rails_);
  if (agree && as_many) return void(group.rail = order);
  group.guessed = true;
  if (!voted && !group.pure.empty()) {
    group.rail = order;
    rails_ = std::max(rails_, static_cast<u32>(group.pure.size()));
    return;
  }
  group.rail = leaves;
  for (u32 p : group.pure)
    if (group.rail[p] == nothing) group.rail[p] = rails_++;
}

void RailFinder::assign(const Group& group) {
  for (u32 i : group.members) {
    Adapter& a = adapters_[i];
    a.rail = group.rail[a.position];
    a.guessed = group.guessed && a.rail != nothing;
  }
}

void RailFinder::label_leaves(bool with_single_hosts) {
  std::vector<Tally> leaves(labels_.size());
  for (const Adapter& a : adapters_)
    if (a.leaf != nothing && a.rail != nothing && (with_single_hosts || !is_single(a)))
      leaves[a.leaf].add(a.rail);
  for (u32 leaf = 0; leaf < leaves.size(); ++leaf)
    labels_[leaf] = leaves[leaf].is_pure() ? leaves[leaf].most() : nothing;
}

// A host none of whose adapters is on a leaf of its rail is named or cabled in a way of its own: leaves
// decide.
void RailFinder::move_hosts() {
  for (u32 h = 0; h < hosts_.size(); ++h) {
    const auto own = std::span(adapters_).subspan(first_[h], first_[h + 1] - first_[h]);
    const auto is_elsewhere = [&](const Adapter& a) {
      return a.rail != nothing && label(a.leaf) != nothing && label(a.leaf) != a.rail;
    };
    const auto is_at_home = [&](const Adapter& a) { return a.rail != nothing && label(a.leaf) == a.rail; };
    if (std::any_of(own.begin(), own.end(), is_at_home) || std::none_of(own.begin(), own.end(), is_elsewhere))
      continue;
    for (Adapter& a : own)
      if (label(a.leaf) != nothing) a.rail = label(a.leaf), a.guessed = true;
  }
}

// Adapters whose names do not tell, and those of hosts that have no other, have the rail of their leaf.
void RailFinder::follow_leaves() {
  std::map<u32, u32> by_name;
  for (const Group& group : groups_)
    for (u32 p = 0; p < group.names.size(); ++p)
      if (!group.guessed) by_name.emplace(group.names[p], group.rail[p]);
  for (Adapter& a : adapters_) {
    if (a.position != nothing) continue;
    a.rail = label(a.leaf);
    const auto named = by_name.find(a.name);
    a.guessed = a.rail != nothing && (named == by_name.end() || named->second != a.rail);
  }
}

// Of two adapters of a host with one rail the better known keeps it. What a file says stays.
void RailFinder::drop_repeated() {
  for (u32 h = 0; h < hosts_.size(); ++h) {
    std::map<u32, u32> owner;  // by rail
    for (u32 i = first_[h]; i < first_[h + 1]; ++i) {
      if (adapters_[i].rail == nothing || says_rail(adapters_[i])) continue;
      const auto [found, is_new] = owner.emplace(adapters_[i].rail, i);
      if (is_new) continue;
      u32 loser = i;
      if (is_known(adapters_[i]) > is_known(adapters_[found->second])) std::swap(loser, found->second);
      adapters_[loser].rail = nothing;
      adapters_[loser].guessed = false;
    }
  }
}

// Numbers the rails that adapters have.
void RailFinder::close_gaps() {
  if (rails_ == 0) return;
  std::vector<u32> number(rails_, nothing);
  for (const Adapter& a : adapters_)
    if (a.rail != nothing) number[a.rail] = 0;
  rails_ = 0;
  for (u32& n : number)
    if (n != nothing) n = rails_++;
  const auto renumber = [&](u32& rail) {
    if (rail != nothing) rail = number[rail];
  };
  for (Adapter& a : adapters_) renumber(a.rail);
  for (u32& rail : labels_) renumber(rail);
  for (Group& group : groups_) std::for_each(group.rail.begin(), group.rail.end(), renumber);
  how_ = rails_in_words();
}

// 4 rails by names: HCA-1, mlx5_0; HCA-2, mlx5_1; ...
std::string RailFinder::rails_in_words() const {
  std::map<u32, std::set<std::string>> names;
  for (const Group& group : groups_)
    for (u32 p = 0; p < group.names.size(); ++p)
      if (!group.guessed && group.rail[p] != nothing) names[group.rail[p]].insert(names_[group.names[p]]);
  std::vector<std::string> rails;
  for (const auto& [rail, own] : names) rails.push_back(fmt::format("{}", fmt::join(own, ", ")));
  if (rails.empty()) return fmt::format("{} rails by the order of adapters in the file", rails_);
  return fmt::format("{} rails by names of adapters: {}", rails_, fmt::join(rails, "; "));
}

void RailFinder::order_slots(FoundRails& out) const {
  for (u32 h = 0; h < hosts_.size(); ++h) {
    std::vector<u32> order(hosts_[h].size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](u32 i) {
      const Adapter& a = adapters_[first_[h] + i];
      return std::pair(a.name, hosts_[h][i].rail.value_or(nothing));
    };
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return rank(a) < rank(b); });
    for (u32 slot = 0; slot < order.size(); ++slot) out.hosts[h][order[slot]].slot = slot;
  }
}

FoundRails RailFinder::result() {
  FoundRails out;
  for (const auto& host : hosts_) out.hosts.emplace_back(host.size());
  for (const Adapter& a : adapters_) {
    if (a.rail == nothing) continue;
    RailPlace& place = out.hosts[a.host][a.index];
    place.rail = a.rail;
    place.guessed = a.guessed;
    out.rails = std::max(out.rails, a.rail + 1);
    out.guessed += a.guessed;
    out.elsewhere += label(a.leaf) != nothing && label(a.leaf) != a.rail;
  }
  order_slots(out);
  out.how = how_;
  if (out.guessed > 0)
    out.how += fmt::format("; {} adapter{} by the leaf switch", out.guessed, out.guessed == 1 ? "" : "s");
  if (out.elsewhere > 0) out.how += fmt::format("; {} on a leaf switch of another rail", out.elsewhere);
  return out;
}

}  // namespace

FoundRails find_rails(std::span<const std::vector<AdapterSeen>> hosts) { return RailFinder(hosts).run(); }

}  // namespace banyan::formats
