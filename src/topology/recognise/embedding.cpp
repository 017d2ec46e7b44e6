#include "topology/recognise/embedding.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/assert.hpp"

namespace banyan::topology {
namespace {

constexpr u32 unplaced = ~u32{0};

// For every vertex the places that are left, as bits.
class PlacesLeft {
 public:
  explicit PlacesLeft(u32 count) : words_((count + 63) / 64), bits_(std::size_t{count} * words_) {}

  void add(u32 v, u32 place) { bits_[v * words_ + place / 64] |= u64{1} << place % 64; }
  bool has(u32 v, u32 place) const { return bits_[v * words_ + place / 64] >> place % 64 & 1; }
  // Both return whether some were lost.
  bool remove(u32 v, u32 place) {
    const bool had = has(v, place);
    bits_[v * words_ + place / 64] &= ~(u64{1} << place % 64);
    return had;
  }
  bool keep(u32 v, const std::vector<u64>& those) {
    u64 lost = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      lost |= bits_[v * words_ + i] & ~those[i];
      bits_[v * words_ + i] &= those[i];
    }
    return lost != 0;
  }
  void add_to(u32 v, std::vector<u64>& those) const {
    for (std::size_t i = 0; i < words_; ++i) those[i] |= bits_[v * words_ + i];
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
  std::vector<u32> place;     // by vertex
  std::vector<u32> standing;  // by place
  std::vector<bool> is_near;  // by vertex: whether a neighbour is placed
  u32 placed = 0;
  u64 edges = 0, lacking = 0;  // of the whole, between places that are taken; those that are none here
};

u64 count_edges(const SwitchNeighbours& graph) {
  u64 out = 0;
  for (const auto& near : graph) out += near.size();
  return out / 2;
}

class EmbeddingSearch {
 public:
  EmbeddingSearch(const KindsOfSwitches& part, const KindsOfSwitches& whole, u64& steps)
      : part_(part.near),
        whole_(whole.near),
        count_(static_cast<u32>(part_.size())),
        near_(count_),
        near_here_(count_),
        all_edges_(count_edges(whole_)),
        all_lacking_(all_edges_ - std::min(all_edges_, count_edges(part_))),
        twins_(twins_of(whole_)),
        steps_(steps) {
    for (u32 x = 0; x < count_; ++x) {
      for (const SwitchNeighbour& n : whole_[x]) near_.add(x, n.to);
      for (const SwitchNeighbour& n : part_[x]) near_here_.add(x, n.to);
    }
    for (u32 v = 0; v < count_; ++v)
      for (u32 x = 0; x < count_; ++x)
        if (whole.kinds[x] == part.kinds[v] && whole_[x].size() >= part_[v].size()) open_.add(v, x);
  }

  std::optional<std::vector<u32>> find() {
    Placing open{open_, std::vector<u32>(count_, unplaced), std::vector<u32>(count_, unplaced),
                 std::vector<bool>(count_)};
    const u32 first = least_damaged();
    for (const u32 x : different_first(open.left.list(first))) {
      const u64 of_put = count_ + part_[first].size() * open.left.words();
      const u64 some = std::min(steps_, 16 * count_ * (of_put + of_try(open)));
      steps_ -= some;
      allowed_ = some;
      if (place_all(open, first, x)) return found_;
      steps_ += allowed_;
      if (steps_ == 0) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  // By vertex: the first with the same neighbours. Of two that are free one is as good as the other.
  static std::vector<u32> twins_of(const SwitchNeighbours& whole) {
    std::map<std::vector<u32>, u32> known;
    std::vector<u32> out;
    for (u32 x = 0; x < whole.size(); ++x) {
      std::vector<u32> near;
      for (const SwitchNeighbour& n : whole[x]) near.insert(near.end(), n.cables, n.to);
      out.push_back(known.try_emplace(std::move(near), x).first->second);
    }
    return out;
  }

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

  // Edges are lacking everywhere alike, but for chance: so wrong places show long before all are known to be.
  bool lacks_too_many(const Placing& at) const {
    return at.lacking > all_lacking_ || at.lacking > 3 + 3 * at.edges * all_lacking_ / all_edges_;
  }

  // What stands at the neighbours of a place that was just taken.
  void count_lacking(Placing& at, u32 v, u32 x) const {
    for (const SwitchNeighbour& n : whole_[x])
      if (const u32 other = at.standing[n.to]; other != unplaced) {
        ++at.edges;
        at.lacking += !near_here_.has(v, other);
      }
  }

  // Places a vertex and all that then have one place left; false: some have none. Where few places of a
  // vertex are left, its neighbours can only be next to one of these.
  bool put(Placing& at, u32 vertex, u32 where) {
    if (!stand(at, vertex, where)) return false;
    while (!changed_.empty()) {
      const u32 v = changed_.back();
      changed_.pop_back();
      is_changed_[v] = false;
      const auto left = few_left(at, v);
      if (left.empty()) continue;
      if (left.size() == 1 && at.place[v] == unplaced && !stand(at, v, left[0])) return forget();
      if (!narrow_neighbours(at, v, left)) return forget();
    }
    return true;
  }
  bool forget() {
    for (const u32 v : changed_) is_changed_[v] = false;
    changed_.clear();
    return false;
  }
  void note_change(u32 v) {
    if (is_changed_[v]) return;
    is_changed_[v] = true;
    changed_.push_back(v);
  }

  // The places left, where they are few, else none.
  std::vector<u32> few_left(const Placing& at, u32 v) const {
    constexpr u32 few = 16;
    return at.place[v] != unplaced   ? std::vector{at.place[v]}
           : at.left.count(v) <= few ? at.left.list(v)
                                     : std::vector<u32>();
  }

  bool stand(Placing& at, u32 v, u32 x) {
    if (!at.left.has(v, x) || !spend(count_ + whole_[x].size())) return forget();
    at.place[v] = x;
    at.standing[x] = v;
    ++at.placed;
    count_lacking(at, v, x);
    if (lacks_too_many(at)) return forget();
    for (u32 w = 0; w < count_; ++w)
      if (w != v && at.left.remove(w, x) && !noted(at, w)) return forget();
    for (const SwitchNeighbour& n : part_[v]) at.is_near[n.to] = true;
    note_change(v);
    return true;
  }
  // False: no place is left.
  bool noted(const Placing& at, u32 v) {
    const u32 left = at.left.count(v);
    if (left == 1) note_change(v);
    return left > 0;
  }

  bool narrow_neighbours(Placing& at, u32 v, const std::vector<u32>& left) {
    if (!spend((left.size() + 2 * part_[v].size()) * at.left.words())) return false;
    std::vector<u64> next(at.left.words());
    for (const u32 x : left) near_.add_to(x, next);
    for (const SwitchNeighbour& n : part_[v]) {
      if (at.place[n.to] != unplaced) {
        if (left.size() == 1 && !near_.has(left[0], at.place[n.to])) return false;
      } else if (at.left.keep(n.to, next)) {
        if (at.left.count(n.to) == 0) return false;
        note_change(n.to);
      }
    }
    return true;
  }

  // The open vertex with the fewest places left, of those beside a placed one if there are some: of others
  // nothing is known yet. Of several one with most cables, which says the most.
  u32 next_open(const Placing& at) const {
    u32 best = unplaced, fewest = 0;
    for (u32 v = 0; v < count_; ++v) {
      if (at.place[v] != unplaced) continue;
      const u32 left = at.left.count(v);
      const auto is_better = [&] {
        if (at.is_near[v] != at.is_near[best]) return bool{at.is_near[v]};
        return left < fewest || (left == fewest && part_[v].size() > part_[best].size());
      };
      if (best == unplaced || is_better()) best = v, fewest = left;
    }
    return best;
  }

  // A vertex that is to be placed next.
  struct Choice {
    Placing at;
    u32 vertex;
    std::vector<u32> places;  // still to be tried, from the back
  };

  // Depth first, from one place of the first vertex on. A vertex more is placed in every choice.
  bool place_all(const Placing& open, u32 first, u32 x) {
    std::vector<Choice> choices;
    if (is_found(open, first, x, choices)) return true;
    while (!choices.empty() && allowed_ > 0) {
      BANYAN_ASSERT(choices.size() <= count_, "a search is no deeper than there are vertices");
      Choice& last = choices.back();
      if (last.places.empty()) {
        choices.pop_back();
        continue;
      }
      const u32 place = last.places.back();
      last.places.pop_back();
      if (is_found(last.at, last.vertex, place, choices)) return true;
    }
    return false;
  }

  // Whether all have a place when this one stands there. If they may get one, the next choice is added.
  bool is_found(Placing at, u32 v, u32 x, std::vector<Choice>& choices) {
    if (!spend(of_try(at)) || !put(at, v, x)) return false;
    if (at.placed == count_) return found_ = at.place, true;
    const u32 next = next_open(at);
    std::vector<u32> places = by_fit(at, next);
    std::reverse(places.begin(), places.end());
    choices.push_back({std::move(at), next, std::move(places)});
    return false;
  }

  // The places left, those first of which the fewest placed neighbours are no neighbours here.
  std::vector<u32> by_fit(const Placing& at, u32 v) const {
    std::vector<bool> near(count_);
    for (const SwitchNeighbour& n : part_[v])
      if (at.place[n.to] != unplaced) near[at.place[n.to]] = true;
    std::vector<std::pair<u32, u32>> out;
    std::vector<bool> is_tried(count_);
    for (const u32 x : at.left.list(v)) {
      if (is_tried[twins_[x]]) continue;
      is_tried[twins_[x]] = true;
      u32 lacking = 0;
      for (const SwitchNeighbour& n : whole_[x]) lacking += at.standing[n.to] != unplaced && !near[n.to];
      out.emplace_back(lacking, x);
    }
    std::sort(out.begin(), out.end());
    std::vector<u32> places;
    for (const auto& [_, x] : out) places.push_back(x);
    return places;
  }

  const SwitchNeighbours &part_, &whole_;
  u32 count_;
  PlacesLeft near_;              // neighbours in the whole
  PlacesLeft near_here_;         // and in the part
  u64 all_edges_, all_lacking_;  // of the whole; those that the part has not
  std::vector<u32> twins_;       // in the whole
  PlacesLeft open_{count_};
  std::vector<u32> changed_{};  // vertices of which places were lost
  std::vector<bool> is_changed_ = std::vector<bool>(count_);
  u64& steps_;
  u64 allowed_ = 0;  // steps for one place of the first vertex, as many as some whole searches take
  std::vector<u32> found_{};
};

}  // namespace

std::optional<std::vector<u32>> embed(const KindsOfSwitches& part, const KindsOfSwitches& whole, u64& steps) {
  constexpr std::size_t max_switches = 8192;  // a table of bits has their square
  const std::size_t count = part.near.size();
  if (count != whole.near.size() || count == 0 || count > max_switches) return std::nullopt;
  return EmbeddingSearch(part, whole, steps).find();
}

}  // namespace banyan::topology
