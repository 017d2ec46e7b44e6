#include "topology/recognise/blocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace banyan::topology {
namespace {

constexpr u32 any = ~u32{0};

using Edges = std::vector<BipartiteEdge>;

class UnionFind {
 public:
  explicit UnionFind(u32 count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  u32 find(u32 i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(u32 i, u32 j) { parent_[find(i)] = find(j); }

 private:
  std::vector<u32> parent_;
};

// A connected piece of the graph: its members and edges.
struct Piece {
  std::vector<u32> lefts, rights;
  Edges edges;

  u64 missing() const { return u64{lefts.size()} * rights.size() - edges.size(); }
  bool fits(u32 a, u32 b) const { return lefts.size() <= a && rights.size() <= b; }
};

// The connected pieces of some members under some edges.
std::vector<Piece> pieces_of(const std::vector<u32>& lefts, const std::vector<u32>& rights,
                             const Edges& edges) {
  const auto local = [](const std::vector<u32>& sorted, u32 member) {
    return static_cast<u32>(std::lower_bound(sorted.begin(), sorted.end(), member) - sorted.begin());
  };
  const u32 nl = static_cast<u32>(lefts.size()), n = nl + static_cast<u32>(rights.size());
  UnionFind sets(n);
  for (const auto& e : edges) sets.unite(local(lefts, e.left), nl + local(rights, e.right));
  std::vector<u32> number(n, Blocks::none);
  std::vector<Piece> out;
  const auto piece = [&](u32 i) -> Piece& {
    u32& found = number[sets.find(i)];
    if (found == Blocks::none) found = static_cast<u32>(out.size()), out.emplace_back();
    return out[found];
  };
  for (u32 i = 0; i < nl; ++i) piece(i).lefts.push_back(lefts[i]);
  for (u32 i = nl; i < n; ++i) piece(i).rights.push_back(rights[i - nl]);
  for (const auto& e : edges) piece(local(lefts, e.left)).edges.push_back(e);
  return out;
}

// How many ways around an edge there are: three edges that join its ends. A wrong edge has few.
std::vector<u32> support(const Piece& piece) {
  std::map<u32, std::vector<u32>> lefts_of, rights_of;
  for (const auto& e : piece.edges) lefts_of[e.right].push_back(e.left), rights_of[e.left].push_back(e.right);
  std::map<std::pair<u32, u32>, u32> common;  // rights that two lefts share
  for (const auto& [right, lefts] : lefts_of)
    for (u32 i : lefts)
      for (u32 j : lefts)
        if (i != j) ++common[{i, j}];
  std::vector<u32> out;
  for (const auto& e : piece.edges) {
    u32 ways = 0;
    for (u32 other : lefts_of[e.right])
      if (other != e.left) ways += common[{e.left, other}] - 1;
    out.push_back(ways);
  }
  return out;
}

// The edges that may be wrong, least supported first; a wrong edge is a single cable.
std::vector<u32> suspects(const Piece& piece) {
  const std::vector<u32> ways = support(piece);
  std::vector<u32> out;
  for (u32 i = 0; i < piece.edges.size(); ++i)
    if (piece.edges[i].weight == 1) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](u32 i, u32 j) { return ways[i] < ways[j]; });
  const std::size_t maximum = out.size() <= 100 ? 32 : out.size() <= 5000 ? 8 : 4;
  if (out.size() > maximum) out.resize(maximum);
  return out;
}

std::vector<Piece> cut(const Piece& piece, u32 first, u32 second) {
  Edges rest;
  for (u32 i = 0; i < piece.edges.size(); ++i)
    if (i != first && i != second) rest.push_back(piece.edges[i]);
  return pieces_of(piece.lefts, piece.rights, rest);
}

// The cheapest way to take a piece apart by cutting one or two edges so that all parts fit, or the piece
// itself.
std::vector<Piece> split_piece(const Piece& piece, u32 a, u32 b) {
  std::vector<Piece> best = {piece};
  constexpr u64 misfit = u64{1} << 32;
  const auto cost = [&](const std::vector<Piece>& parts, u32 cuts) {
    u64 sum = 2 * cuts;
    for (const Piece& part : parts) sum += part.missing() + (part.fits(a, b) ? 0 : misfit);
    return sum;
  };
  u64 least = cost(best, 0);
  const std::vector<u32> candidates = suspects(piece);
  for (u32 i = 0; i < candidates.size(); ++i)
    for (u32 j = i; j < candidates.size(); ++j) {
      std::vector<Piece> parts = cut(piece, candidates[i], candidates[j]);
      const u64 sum = cost(parts, i == j ? 1 : 2);
      if (parts.size() > 1 && sum < least) least = sum, best = std::move(parts);
    }
  return best;
}

template <class When>
std::vector<Piece> split_where(std::vector<Piece> pieces, u32 a, u32 b, const When& when) {
  std::vector<Piece> out;
  while (!pieces.empty()) {
    Piece piece = std::move(pieces.back());
    pieces.pop_back();
    std::vector<Piece> parts = when(piece) ? split_piece(piece, a, b) : std::vector<Piece>{piece};
    std::vector<Piece>& to = parts.size() == 1 ? out : pieces;
    for (Piece& part : parts) to.push_back(std::move(part));
  }
  return out;
}

struct Size {
  u32 a = 1, b = 1;
  auto operator<=>(const Size&) const = default;
};

// The size of a whole block: the largest if blocks of that size hold all members, else the most common.
Size whole_size(const Bipartite& graph, const std::vector<Piece>& pieces) {
  std::map<Size, u32> seen;
  Size maximum;
  for (const Piece& piece : pieces) {
    if (piece.edges.empty()) continue;
    const Size size{static_cast<u32>(piece.lefts.size()), static_cast<u32>(piece.rights.size())};
    maximum = {std::max(maximum.a, size.a), std::max(maximum.b, size.b)};
    ++seen[size];
  }
  const bool exact = graph.lefts % maximum.a == 0 && graph.rights % maximum.b == 0 &&
                     graph.lefts / maximum.a == graph.rights / maximum.b;
  if (exact || seen.empty()) return maximum;
  return std::max_element(seen.begin(), seen.end(), [](auto& x, auto& y) { return x.second < y.second; })
      ->first;
}

// The same, where one side varies: the most members there among blocks with the usual number on the other
// side.
Size varied_size(const std::vector<Piece>& pieces, bool lefts_vary) {
  std::map<u32, u32> seen;
  const auto steady = [&](const Piece& p) {
    return static_cast<u32>(lefts_vary ? p.rights.size() : p.lefts.size());
  };
  const auto varied = [&](const Piece& p) {
    return static_cast<u32>(lefts_vary ? p.lefts.size() : p.rights.size());
  };
  for (const Piece& piece : pieces)
    if (!piece.edges.empty()) ++seen[steady(piece)];
  if (seen.empty()) return {};
  const u32 usual =
      std::max_element(seen.begin(), seen.end(), [](auto& x, auto& y) { return x.second < y.second; })->first;
  u32 maximum = 1;
  for (const Piece& piece : pieces)
    if (steady(piece) == usual) maximum = std::max(maximum, varied(piece));
  return lefts_vary ? Size{maximum, usual} : Size{usual, maximum};
}

// Whether a piece is most of a block, so that no other piece can be the same one. The centre of a star is
// one.
bool is_block(const Piece& piece, Size whole, Vary vary) {
  const auto [a, b] = whole;
  const bool enough_lefts = vary == Vary::lefts || 2 * piece.lefts.size() > a || (a > 1 && b == 1);
  const bool enough_rights = vary == Vary::rights || 2 * piece.rights.size() > b || (a == 1 && b > 1);
  return enough_lefts && enough_rights &&
         piece.fits(vary == Vary::lefts ? any : a, vary == Vary::rights ? any : b) &&
         (vary == Vary::lefts ? !piece.rights.empty() : vary == Vary::none || !piece.lefts.empty());
}

}  // namespace

Blocks find_blocks(const Bipartite& graph, Vary vary) {
  std::vector<u32> lefts(graph.lefts), rights(graph.rights);
  std::iota(lefts.begin(), lefts.end(), 0u);
  std::iota(rights.begin(), rights.end(), 0u);
  std::vector<Piece> pieces = pieces_of(lefts, rights, graph.edges);
  pieces = split_where(std::move(pieces), any, any, [](const Piece& p) {
    return 4 * p.missing() > u64{p.lefts.size()} * p.rights.size();
  });
  const Size whole =
      vary == Vary::none ? whole_size(graph, pieces) : varied_size(pieces, vary == Vary::lefts);
  const Size maximum{vary == Vary::lefts ? any : whole.a, vary == Vary::rights ? any : whole.b};
  pieces = split_where(std::move(pieces), maximum.a, maximum.b,
                       [&](const Piece& p) { return !p.fits(maximum.a, maximum.b); });

  Blocks out{whole.a, whole.b, 0, std::vector<u32>(graph.lefts, Blocks::none),
             std::vector<u32>(graph.rights, Blocks::none)};
  for (const Piece& piece : pieces) {
    if (!is_block(piece, whole, vary)) continue;
    for (u32 left : piece.lefts) out.of_left[left] = out.count;
    for (u32 right : piece.rights) out.of_right[right] = out.count;
    ++out.count;
  }
  return out;
}

}  // namespace banyan::topology
