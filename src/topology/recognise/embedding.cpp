#include "topology/recognise/embedding.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace banyan::topology {
namespace {

constexpr u32 unplaced = ~u32{0};

// For every vertex the places that are left, as bits.
class PlacesLeft {
 public:
  explicit PlacesLeft(u32 count) : words_((count + 63) / 64), bits_(std::size_t{count} * words_) {}

  void add(u32 v, u32 place) { bits_[v * words_ + place / 64] |= u64{1} << place % 64; }
  void remove(u32 v, u32 place) { bits_[v * words_ + place / 64] &= ~(u64{1} << place % 64); }
  bool has(u32 v, u32 place) const { return bits_[v * words_ + place / 64] >> place % 64 & 1; }
  void keep(u32 v, const PlacesLeft& of, u32 row) {
    for (std::size_t i = 0; i < words_; ++i) bits_[v * words_ + i] &= of.bits_[row * words_ + i];
  }
  u32 count(u32 v) const {
    u32 out = 0;
    for (std::size_t i = 0; i < words_; ++i) out += static_cast<u32>(std::popcount(bits_[v * words_ + i]));
    return out;
  }
  std::vector<u32> list(u32 v) const {
    std::vector<u32> out;
    for (std::size_t i = 0; i < words_; ++i)
      for (u64 bits = bits_[v * words_ + i]; bits; bits &= bits - 1)
        out.push_back(static_cast<u32>(64 * i) + static_cast<u32>(std::countr_zero(bits)));
    return out;
  }
  u64 words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<u64> bits_;
};

struct Placing {
  PlacesLeft left;
  std::vector<u32> place;  // by vertex
  u32 placed = 0;
};

class EmbeddingSearch {
 public:
  EmbeddingSearch(const SwitchNeighbours& part, const SwitchNeighbours& whole, u64& steps)
      : part_(part), whole_(whole), count_(static_cast<u32>(part.size())), near_(count_), steps_(steps) {
    for (u32 x = 0; x < count_; ++x)
      for (const SwitchNeighbour& n : whole[x]) near_.add(x, n.to);
  }

  std::optional<std::vector<u32>> find() {
    Placing open{PlacesLeft(count_), std::vector<u32>(count_, unplaced)};
    for (u32 v = 0; v < count_; ++v)
      for (u32 x = 0; x < count_; ++x)
        if (whole_[x].size() >= part_[v].size()) open.left.add(v, x);
    const u32 first = least_damaged();
    for (const u32 x : different_first(open.left.list(first))) {
      const u64 of_put = count_ + part_[first].size() * open.left.words();
      const u64 some = std::min(steps_, 16 * count_ * (of_put + of_try(open)));
      steps_ -= some;
      allowed_ = some;
      if (try_at(open, first, x)) return found_;
      steps_ += allowed_;
      if (steps_ == 0) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  // The vertex with the most cables, of its neighbours too.
  u32 least_damaged() const {
    const auto cables = [&](u32 v) {
      std::size_t out = part_[v].size();
      for (const SwitchNeighbour& n : part_[v]) out += part_[n.to].size();
      return out;
    };
    u32 best = 0;
    for (u32 v = 1; v < count_; ++v)
      if (cables(v) > cables(best)) best = v;
    return best;
  }

  // What a vertex of the whole looks like: its cables, those of its neighbours, and its triangles.
  std::vector<std::size_t> surroundings(u32 x) const {
    std::vector<std::size_t> out;
    std::size_t triangles = 0;
    for (const SwitchNeighbour& n : whole_[x]) {
      out.push_back(whole_[n.to].size());
      for (const SwitchNeighbour& m : whole_[n.to]) triangles += near_.has(x, m.to);
    }
    std::sort(out.begin(), out.end());
    out.push_back(triangles);
    return out;
  }

  // One of each look, then the others: some that look alike are not.
  std::vector<u32> different_first(const std::vector<u32>& places) const {
    std::set<std::vector<std::size_t>> seen;
    std::vector<u32> out, others;
    for (const u32 x : places) (seen.insert(surroundings(x)).second ? out : others).push_back(x);
    out.insert(out.end(), others.begin(), others.end());
    return out;
  }

  bool spend(u64 steps) {
    allowed_ -= std::min(steps, allowed_);
    return allowed_ > 0;
  }

  // Steps of a try without put(): the copy, next_open() and by_fit().
  u64 of_try(const Placing& at) const { return u64{3} * count_ * at.left.words(); }

  // Places a vertex and all that then have one place left; false: some have none.
  bool put(Placing& at, u32 vertex, u32 where) {
    std::vector<std::pair<u32, u32>> next = {{vertex, where}};
    while (!next.empty()) {
      const auto [v, x] = next.back();
      next.pop_back();
      if (at.place[v] == x) continue;
      if (at.place[v] != unplaced || !at.left.has(v, x)) return false;
      if (!spend(count_ + part_[v].size() * at.left.words())) return false;
      at.place[v] = x;
      ++at.placed;
      for (u32 w = 0; w < count_; ++w)
        if (w != v) at.left.remove(w, x);
      for (const SwitchNeighbour& n : part_[v]) {
        if (at.place[n.to] != unplaced) {
          if (!near_.has(x, at.place[n.to])) return false;
          continue;
        }
        at.left.keep(n.to, near_, x);
        const u32 left = at.left.count(n.to);
        if (left == 0) return false;
        if (left == 1) next.emplace_back(n.to, at.left.list(n.to)[0]);
      }
    }
    return true;
  }

  // The open vertex with the fewest places left.
  u32 next_open(const Placing& at) const {
    u32 best = unplaced, fewest = ~u32{0};
    for (u32 v = 0; v < count_; ++v) {
      if (at.place[v] != unplaced) continue;
      if (const u32 left = at.left.count(v); left < fewest) best = v, fewest = left;
    }
    return best;
  }

  bool try_at(const Placing& before, u32 v, u32 x) {
    if (!spend(of_try(before))) return false;
    Placing at = before;
    if (!put(at, v, x)) return false;
    if (at.placed == count_) return found_ = at.place, true;
    const u32 next = next_open(at);
    for (const u32 y : by_fit(at, next)) {
      if (try_at(at, next, y)) return true;
      if (allowed_ == 0) return false;
    }
    return false;
  }

  // The places left, those first of which the fewest placed neighbours are no neighbours here.
  std::vector<u32> by_fit(const Placing& at, u32 v) const {
    std::vector<bool> near(count_);
    for (const SwitchNeighbour& n : part_[v])
      if (at.place[n.to] != unplaced) near[at.place[n.to]] = true;
    std::vector<bool> taken(count_);
    for (const u32 x : at.place)
      if (x != unplaced) taken[x] = true;
    std::vector<std::pair<u32, u32>> out;
    for (const u32 x : at.left.list(v)) {
      u32 lacking = 0;
      for (const SwitchNeighbour& n : whole_[x]) lacking += taken[n.to] && !near[n.to];
      out.emplace_back(lacking, x);
    }
    std::sort(out.begin(), out.end());
    std::vector<u32> places;
    for (const auto& [_, x] : out) places.push_back(x);
    return places;
  }

  const SwitchNeighbours &part_, &whole_;
  u32 count_;
  PlacesLeft near_;  // neighbours in the whole
  u64& steps_;
  u64 allowed_ = 0;  // steps for one place of the first vertex, as many as some whole searches take
  std::vector<u32> found_{};
};

}  // namespace

std::optional<std::vector<u32>> embed(const SwitchNeighbours& part, const SwitchNeighbours& whole,
                                      u64& steps) {
  constexpr std::size_t max_switches = 8192;  // a table of bits has their square
  if (part.size() != whole.size() || part.empty() || part.size() > max_switches) return std::nullopt;
  return EmbeddingSearch(part, whole, steps).find();
}

}  // namespace banyan::topology
