// The shortest paths of a complete PGFT, numbered as mahapatra does; what the closed-form engines of trees
// share.
//
// A pair that meets at level k has X = v_1...v_k paths, v_t = w_t p_t: a digit for each level, the lowest
// level the most significant. The way down takes at each level the cable number of the way up.
#pragma once
#include <algorithm>
#include <optional>
#include <string_view>

#include "engines/engine.hpp"

namespace banyan {

class TreePaths {
 public:
  explicit TreePaths(const Pgft& tree);

  struct Pair {
    u32 from, to;  // endpoints
    u32 level;     // where they meet
    u64 paths;     // X
  };
  Pair pair(Nic from, Nic to) const {
    const u32 a = endpoint(from), b = endpoint(to);
    u32 level = height();
    while (level > 0 && a / digits_[level - 1].M == b / digits_[level - 1].M) --level;
    return {a, b, level, all_paths_[level]};
  }

  u64 paths_behind(u32 digit,
                   u32 level) const;         // v_{digit+1}...v_level: what one step of that digit is worth
  u64 mod_k(u32 endpoint, u32 level) const;  // the path that d-mod-k takes to this endpoint, s-mod-k from it
  u64 tag(u64 path, u32 level) const;        // the path as TreeForm wants it
  u32 choices(u32 digit) const { return digits_[digit - 1].choices; }  // v_t

 private:
  struct Digit {
    u32 M, w, choices;  // M_{t-1}, w_t, v_t
  };
  u32 height() const { return static_cast<u32>(digits_.size()); }
  u32 endpoint(Nic nic) const {
    const u32 i = index(nic) < plane_ ? index(nic) : index(nic) % plane_;
    return tree_.rails == 1 ? i : tree_.endpoint_of_nic(Nic{i});
  }

  Pgft tree_;
  u32 plane_;  // endpoints
  std::vector<Digit> digits_;
  std::vector<u64> all_paths_;  // by level: X
};

// The c-th path of a pair, as shift1 and disjoint count them from that of d-mod-k on.
u64 shift1_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c);
u64 disjoint_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c);

// Why the closed forms cannot route this, if so.
std::optional<NotApplicable> refuse_tree(const Topology& topology, std::string_view engine);

// The routing with up to `limit` paths a pair; path(paths, pair, c) is the number of the c-th of them. Where
// it reads no more than the attachment of the source, that is the level where the pair meets.
template <class Path>
RouteResult route_tree(const Topology& topology, std::string_view engine, u64 limit, Reads reads, Path path) {
  struct Ways {
    TreePaths paths;
    u64 limit;
    Reads how_much;
    Path path;

    Reads reads() const { return how_much; }

    u32 count(Nic from, Nic to, u64) const {
      if (limit == 1) return 1;
      return static_cast<u32>(std::min({limit, paths.pair(from, to).paths, u64{~u32{0}}}));
    }
    Header way(Nic from, Nic to, u64, u32 i) const {
      const TreePaths::Pair pair = paths.pair(from, to);
      return {.to = address_of(to), .tag = paths.tag(path(paths, pair, i), pair.level)};
    }
  };
  if (auto refused = refuse_tree(topology, engine)) return *refused;
  if (limit == 0) throw InputError(fmt::format("{}: paths must be at least 1", engine));
  const Pgft& tree = std::get<Pgft>(topology.shape);
  return Routing{TreeForm(tree, topology.planes), Source(Ways{TreePaths(tree), limit, reads, path})};
}

struct PathsOption {
  u32 paths = 1;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "paths for each pair; more than there are means all");
  }
};

}  // namespace banyan
