// The shortest paths of a complete PGFT, numbered as in mahapatra. The closed-form engines of trees share it.
//
// A pair that meets at level k has X = v_1...v_k paths, v_t = w_t p_t: a digit for each level, the lowest
// level the most significant. At each level the way down takes the cable number of the way up.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"

namespace banyan::engines {

class TreePaths {
 public:
  explicit TreePaths(const Pgft& tree);

  struct Pair {
    u32 from, to;  // endpoints
    u32 level;     // where they meet
    u64 paths;     // X
  };
  Pair pair(Nic from, Nic to) const {
    const u32 a = endpoint(from), b = endpoint(to), level = meeting(a, b);
    return {a, b, level, paths_behind(0, level)};
  }
  Pair pair(u64 both, u32 level) const {
    return {static_cast<u32>(both >> 32), static_cast<u32>(both), level, paths_behind(0, level)};
  }

  // Calls f(pairs, level) for all pairs of these NICs in order, up to `some` at a time that meet at the same
  // level. A pair is from << 32 | to, of endpoints. Where a NIC is paired with itself, the level means
  // nothing.
  static constexpr std::size_t some = 512;
  template <class F>
  void each_some(std::span<const Nic> from, std::span<const Nic> to, F&& f) const {
    std::array<u64, some> pairs;
    std::size_t count = 0;
    u32 level = 0;
    const auto pass_on = [&] {
      if (count > 0) f(std::span<const u64>(pairs).first(count), level);
      count = 0;
    };
    std::vector<u32> goals, ends;  // endpoints; where the next ones are of another leaf
    for (const Nic nic : to) {
      if (!goals.empty() && subtree(goals.back(), 1) != subtree(endpoint(nic), 1))
        ends.push_back(static_cast<u32>(goals.size()));
      goals.push_back(endpoint(nic));
    }
    ends.push_back(static_cast<u32>(goals.size()));
    for (const Nic source : from) {
      const u32 a = endpoint(source);
      u32 i = 0;
      for (const u32 end : ends) {
        const auto other = std::find_if(goals.data() + i, goals.data() + end, [&](u32 b) { return b != a; });
        if (other != goals.data() + end)
          if (const u32 there = meeting(a, *other); there != level) pass_on(), level = there;
        for (; i < end; ++i) {
          if (count == some) pass_on();
          pairs[count++] = u64{a} << 32 | goals[i];
        }
      }
    }
    pass_on();
  }

  // v_{digit+1}...v_level: the value of one step of that digit.
  u64 paths_behind(u32 digit, u32 level) const { return paths_behind_[digit * (height_ + 1) + level]; }
  // The path that d-mod-k takes to this endpoint, and s-mod-k from it. Endpoints beyond the last are numbered
  // as if the tree were larger.
  u64 mod_k(u32 endpoint, u32 level) const {
    return endpoint < endpoints_ ? mod_k_[std::size_t{endpoint} * (height_ + 1) + level]
                                 : computed_mod_k(endpoint, level);
  }
  // The path in TreeForm's representation.
  u64 tag(u64 path, u32 level) const {
    return path < tags_[level].size() ? tags_[level][path] : computed_tag(path, level);
  }
  u32 choices(u32 digit) const { return choices_[digit]; }  // v_t

 private:
  static constexpr u64 max_kept_tags = 4096;  // of a level

  // The subtree of an endpoint, and the level where two endpoints meet.
  u32 subtree(u32 endpoint, u32 height) const {
    return height < height_ ? subtrees_[std::size_t{endpoint} * height_ + height] : 0;
  }
  u32 meeting(u32 a, u32 b) const {
    u32 level = height_;
    while (level > 0 && subtree(a, level - 1) == subtree(b, level - 1)) --level;
    return level;
  }
  u64 computed_tag(u64 path, u32 level) const;
  u64 computed_mod_k(u32 endpoint, u32 level) const;
  u32 endpoint(Nic nic) const {
    const u32 i = index(nic) < endpoints_ ? index(nic) : index(nic) % endpoints_;
    return tree_.nics_are_endpoints() ? i : tree_.endpoint_of_nic(Nic{i});
  }

  Pgft tree_;
  u32 height_, endpoints_;
  std::vector<u32> subtrees_;  // by endpoint and height below the root: its subtree
  std::vector<u64> mod_k_;     // by endpoint and level; stored because divisions are slow and all pairs ask
  std::vector<u32> choices_;   // by digit, from 1 on
  std::vector<u64> paths_behind_;       // by digit and level
  std::vector<std::vector<u64>> tags_;  // by level and path
};

// The headers of all paths, those of pairs that meet at the lowest level first; none if there are very many.
struct ListedPaths {
  std::vector<Header> headers;
  std::vector<u32> first;  // by level
};
ListedPaths list_paths(const TreePaths& paths, u32 height);

// The c-th path of a pair in the order of shift1 and of disjoint, which both start with that of d-mod-k.
u64 shift1_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c);
u64 disjoint_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c);

// The reason why the closed forms cannot route this topology, or none.
std::optional<NotApplicable> refuse_tree(const Topology& topology, std::string_view engine);

// The routing with up to `limit` paths per pair. path(paths, pair, c) is the number of the c-th path; if
// path.all(paths, pair, count, f) exists, it calls f with the first `count` of them; if path.first(paths,
// pairs, level, numbers) exists, it writes the number of the first path of each pair of each_some(). If
// `reads` is the attachment of the source, path depends only on the level where the pair meets.
template <class Path>
RouteResult route_tree(const Topology& topology, std::string_view engine, u64 limit, Reads reads, Path path) {
  struct Ways {
    TreePaths paths;
    u64 limit;
    Reads how_much;
    Path path;
    ListedPaths listed;

    Reads reads() const { return how_much; }

    u32 count(Nic from, Nic to, u64) const {
      if (limit == 1) return 1;
      return static_cast<u32>(std::min({limit, paths.pair(from, to).paths, u64{~u32{0}}}));
    }
    Header way(Nic from, Nic to, u64, u32 i) const {
      const TreePaths::Pair pair = paths.pair(from, to);
      return {.to = address_of(to), .tag = paths.tag(path(paths, pair, i), pair.level)};
    }
    void ways(Nic from, Nic to, u64, std::vector<Header>& out) const {
      const TreePaths::Pair pair = paths.pair(from, to);
      const u32 all = static_cast<u32>(std::min({limit, pair.paths, u64{~u32{0}}}));
      const auto add = [&](u64 number) {
        out.push_back({.to = address_of(to), .tag = paths.tag(number, pair.level)});
      };
      if constexpr (requires { path.all(paths, pair, all, add); })
        path.all(paths, pair, all, add);
      else
        for (u32 i = 0; i < all; ++i) add(path(paths, pair, i));
    }
    std::span<const Header> numbered() const { return listed.headers; }
    void numbers(std::span<const Nic> from, std::span<const Nic> to, u64, u32* out) const {
      paths.each_some(from, to, [&](std::span<const u64> pairs, u32 level) {
        std::array<u64, TreePaths::some> numbers;
        if constexpr (requires { path.first(paths, pairs, level, numbers.data()); })
          path.first(paths, pairs, level, numbers.data());
        else
          for (std::size_t i = 0; i < pairs.size(); ++i)
            numbers[i] = path(paths, paths.pair(pairs[i], level), 0);
        const u32 first = listed.first[level];
        for (std::size_t i = 0; i < pairs.size(); ++i) *out++ = first + static_cast<u32>(numbers[i]);
      });
    }
  };
  if (auto refused = refuse_tree(topology, engine)) return *refused;
  if (limit == 0) throw InputError(fmt::format("{}: paths must be at least 1", engine));
  const Pgft& tree = std::get<Pgft>(topology.shape);
  const TreePaths paths(tree);
  const ListedPaths listed = limit == 1 && reads == Reads::nic ? list_paths(paths, tree.h()) : ListedPaths{};
  return Routing{TreeForm(tree, topology.planes), Source(Ways{paths, limit, reads, path, listed})};
}

struct PathsOption {
  u32 paths = 1;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "paths for each pair; more than there are means all");
  }
};

}  // namespace banyan::engines
