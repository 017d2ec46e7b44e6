#include "topology/recognise/weak_places.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "topology/recognise/tree_evidence.hpp"

namespace banyan::topology {
namespace {

// Nodes of which the subtree or the column counts as certain.
struct Certain {
  IdVector<Node, bool> subtree, column;

  // A node without a place may lack only one of the two. Where it has both, something else stands there.
  Certain(const TreeFit& fit, const IdVector<Node, Node>& place)
      : subtree(place.size(), false), column(place.size(), false) {
    for (const Node v : place.ids()) {
      const bool in_subtree = knows_subtrees(fit, v), in_column = knows_columns(fit, v);
      const bool is_placed = place[v] != none<Node>;
      subtree[v] = is_placed || (in_subtree && !in_column);
      column[v] = is_placed || (in_column && !in_subtree);
    }
  }

 private:
  static bool knows_subtrees(const TreeFit& fit, Node v) {
    u32 l = fit.levels.of[v], id = fit.subtree[v];
    for (; l < fit.top() && id != TreeFit::none; ++l) id = fit.above_subtree[l][id];
    return l == fit.top() && id != TreeFit::none;
  }
  static bool knows_columns(const TreeFit& fit, Node v) {
    u32 l = fit.levels.of[v], id = fit.column[v];
    if (l > fit.top()) return false;
    for (; l > 0 && id != TreeFit::none; --l) id = fit.below_column[l][id];
    return id != TreeFit::none;
  }
};

struct Grip {
  u32 agree = 0, differ = 0;  // cables
  bool contested = false;     // where a cable agrees, another one at its far end does not

  bool weak(u64 ideal, u32 proof) const {
    return agree == 0 || (agree < proof && (agree < ideal || differ > 0 || contested || proof > 2));
  }
};

// Subtrees hang on cables up, columns on cables down. A switch is in its subtree by its cables down, and in
// its column by those up.
enum class Kind { subtree, column, down, up };

// Something that cables hold: where, and how many there should be. Two of a kind, level and lane could
// exchange what they hang on.
struct Held {
  Kind kind;
  u32 level, lane, target;
  u64 ideal;

  auto rivals() const { return std::tuple(kind, level, lane); }
};

// What holds every subtree, column and switch where it is.
class Hold {
 public:
  // So many cables that agree prove a place.
  Hold(const Fabric& raw, const TreeFit& fit, const IdVector<Node, Node>& place, const Certain& certain,
       u32 proof)
      : fit_(fit),
        subtree_(fit.top() + 1),
        column_(fit.top() + 1),
        down_(raw.nodes().size()),
        up_(raw.nodes().size()),
        stray_(raw.nodes().size(), 0),
        is_full_(fit.top() + 1, false),
        proof_(proof) {
    for (u32 l = 0; l <= fit.top(); ++l) {
      subtree_[l].resize(fit.above_subtree[l].size());
      column_[l].resize(fit.below_column[l].size());
    }
    count(raw, certain);
    if (proof > 1) {
      mark_contested(raw);
    } else {
      find_full_levels(raw, place);
      find_lone(raw);
    }
  }

  // Whether the node, or a subtree that holds it, hangs loose where it could hang elsewhere.
  bool loose_subtree(Node node) const {
    const Pgft& shape = fit_.shape;
    u32 id = fit_.subtree[node];
    const u32 level = fit_.levels.of[node];
    for (u32 l = level; l + 1 < fit_.top(); id = fit_.above_subtree[l++][id]) {
      if (shape.M(shape.h()) / shape.M(l + 1) == 1) break;
      if (is_weak(subtree_[l][id], held_subtree(l, id))) return true;
    }
    if (level == 0 || is_only_root(level) || shape.M(shape.h()) == shape.M(level)) return false;
    return is_weak(down_[node], held_down(node));
  }

  bool loose_column(Node node) const {
    u32 id = fit_.column[node];
    const u32 level = fit_.levels.of[node];
    for (u32 l = level; l >= 1; id = fit_.below_column[l--][id]) {
      if (is_only_root(l - 1)) break;
      if (is_weak(column_[l][id], held_column(l, id))) return true;
    }
    if (level == fit_.top() || is_only_root(level)) return false;
    return is_weak(up_[node], held_up(node));
  }

  // Whether it may be of another level.
  bool loose_level(Node node) const {
    const Pgft& shape = fit_.shape;
    const u32 l = fit_.levels.of[node];
    if (l == 0) return false;
    const u32 agree = down_[node].agree + up_[node].agree;
    if (stray_[node] > 0 && agree < 5) return true;
    const u64 ideal = u64{shape.m[l - 1]} * shape.p[l - 1] + (l < fit_.top() ? shape.up_ports(l) : 0);
    // A leaf that lost its host and got a second way up looks like a top.
    return down_[node].differ + up_[node].differ > 0 && u64{2} * agree < ideal;
  }

 private:
  // Of its subtree; then its column is no question.
  bool is_only_root(u32 level) const { return fit_.planes * fit_.shape.W(level) == 1; }

  // Everything that a cable says something about, by the kind of the saying.
  template <class F>
  void each_subtree_grip(Node child, Node parent, const F& f) {
    if (fit_.subtree[child] != TreeFit::none) f(subtree_[fit_.levels.of[child]][fit_.subtree[child]]);
    f(down_[parent]);
  }
  template <class F>
  void each_column_grip(Node child, Node parent, const F& f) {
    if (fit_.column[parent] != TreeFit::none) f(column_[fit_.levels.of[parent]][fit_.column[parent]]);
    f(up_[child]);
  }

  void count(const Fabric& raw, const Certain& certain) {
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit_, raw.from(link.a), raw.from(link.b));
      if (!are_neighbours(fit_, child, parent)) {
        ++stray_[child], ++stray_[parent];
        return;
      }
      const CableVerdict subtrees = on_subtrees(fit_, child, parent),
                         columns = on_columns(fit_, child, parent);
      const bool differs = subtrees == CableVerdict::differs || columns == CableVerdict::differs;
      const auto add = [&](Grip& grip) { ++(differs ? grip.differ : grip.agree); };
      if (differs || (subtrees == CableVerdict::agrees && certain.subtree[child] && certain.subtree[parent]))
        each_subtree_grip(child, parent, add);
      if (differs || (columns == CableVerdict::agrees && certain.column[child] && certain.column[parent]))
        each_column_grip(child, parent, add);
    });
  }
  void mark_contested(const Fabric& raw) {
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit_, raw.from(link.a), raw.from(link.b));
      if (!are_neighbours(fit_, child, parent) || !fit_.agrees(child, parent)) return;
      if (down_[parent].differ + up_[child].differ == 0) return;
      const auto mark = [](Grip& grip) { grip.contested = true; };
      each_subtree_grip(child, parent, mark);
      each_column_grip(child, parent, mark);
    });
  }

  // Levels with a switch at every place.
  void find_full_levels(const Fabric& raw, const IdVector<Node, Node>& place) {
    std::vector<u64> placed(fit_.top() + 1, 0);
    for (const Node v : raw.switch_nodes())
      if (place[v] != none<Node>) ++placed[fit_.levels.of[v]];
    const std::vector<u32> ideal = fit_.shape.switches_per_level();
    for (u32 l = 1; l <= fit_.top(); ++l) is_full_[l] = placed[l] == u64{ideal[l - 1]} * fit_.planes;
  }

  Held held_subtree(u32 l, u32 id) const {
    const Pgft& shape = fit_.shape;
    return {Kind::subtree, l, 0, fit_.above_subtree[l][id], fit_.planes * shape.W(l + 1) * shape.p[l]};
  }
  Held held_column(u32 l, u32 id) const {
    const Pgft& shape = fit_.shape;
    return {Kind::column, l, 0, fit_.below_column[l][id],
            shape.M(shape.h()) / shape.M(l - 1) * shape.p[l - 1]};
  }
  // On a full level a switch can only get to the place of another of its column, or of its subtree.
  Held held_down(Node node) const {
    const u32 l = fit_.levels.of[node];
    return {Kind::down, l, is_full_[l] ? fit_.column[node] : 0, fit_.subtree[node],
            u64{fit_.shape.m[l - 1]} * fit_.shape.p[l - 1]};
  }
  Held held_up(Node node) const {
    const u32 l = fit_.levels.of[node];
    return {Kind::up, l, is_full_[l] ? fit_.subtree[node] : 0, fit_.column[node],
            l == 0 ? fit_.shape.nic_ports() : fit_.shape.up_ports(l)};
  }

  // Two of a kind with a single cable of several, at different places.
  void find_lone(const Fabric& raw) {
    const auto add = [&](const Grip& grip, const Held& held) {
      if (grip.agree != 1 || held.ideal == 1) return;
      const auto [known, is_new] = lone_.try_emplace(held.rivals(), held.target, false);
      if (known->second.first != held.target) known->second.second = true;
    };
    for (u32 l = 0; l <= fit_.top(); ++l) {
      for (u32 id = 0; l < fit_.top() && id < subtree_[l].size(); ++id)
        add(subtree_[l][id], held_subtree(l, id));
      for (u32 id = 0; l > 0 && id < column_[l].size(); ++id) add(column_[l][id], held_column(l, id));
    }
    for (const Node v : raw.nodes()) {
      const u32 l = fit_.levels.of[v];
      if (l > 0 && l <= fit_.top()) add(down_[v], held_down(v));
      if (l < fit_.top()) add(up_[v], held_up(v));
    }
  }

  bool is_weak(const Grip& grip, const Held& held) const {
    if (proof_ > 1) return grip.weak(held.ideal, held.level == 0 ? 2 : proof_);
    if (grip.agree != 1 || held.ideal == 1) return grip.agree == 0;
    const auto found = lone_.find(held.rivals());
    return found != lone_.end() && found->second.second;
  }

  const TreeFit& fit_;
  std::vector<std::vector<Grip>> subtree_, column_;  // [l][id]
  IdVector<Node, Grip> down_, up_;
  IdVector<Node, u32> stray_;  // cables past a level
  std::vector<bool> is_full_;  // by level
  u32 proof_;
  std::map<std::tuple<Kind, u32, u32>, std::pair<u32, bool>> lone_;  // one target, and whether there are more
};

// Whether something became uncertain.
bool doubt_once(const Fabric& raw, const Hold& hold, Certain& certain) {
  bool found = false;
  for (const Node v : raw.nodes()) {
    const bool is_loose = (certain.subtree[v] || certain.column[v]) && hold.loose_level(v);
    const bool subtree = certain.subtree[v] && !is_loose && !hold.loose_subtree(v);
    const bool column = certain.column[v] && !is_loose && !hold.loose_column(v);
    found = found || subtree != certain.subtree[v] || column != certain.column[v];
    certain.subtree[v] = subtree;
    certain.column[v] = column;
  }
  return found;
}

}  // namespace

void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place) {
  const TreeEvidence evidence(raw, fit);
  const bool explained =
      std::all_of(evidence.wrong.begin(), evidence.wrong.end(),
                  [&](const LevelPair& wrong) { return evidence.has_partner(fit, wrong); });
  const u32 proof = evidence.wrong.empty() || explained ? 2 : 3;
  Certain certain(fit, place);
  // A swap without a trace moves only what hangs on its cables; a wrong cable may be one of many.
  while (doubt_once(raw, Hold(raw, fit, place, certain, proof), certain) && proof > 1) {
  }
  for (const Node v : raw.nodes())
    if (!certain.subtree[v] || !certain.column[v]) place[v] = none<Node>;
}

}  // namespace banyan::topology
