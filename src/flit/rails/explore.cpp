#include "flit/rails/explore.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "flit/rails/world.hpp"

namespace banyan::flit {
namespace {

struct Edge {
  u32 from, to, label;
};

// The graph of all states, breadth first, so that what leads to a state is as short as can be.
struct Graph {
  std::vector<World> worlds;
  std::vector<Edge> edges;                             // in order of `from`
  std::vector<u32> first_edge;                         // by state, and one past the last
  std::vector<std::pair<u32, std::string>> came_from;  // by state
  std::vector<std::string> labels;  // a packet is known by what it is, not by where it stands
  std::vector<bool> is_owed;        // by label: must happen if it stays possible; a timeout need not

  std::string way_to(u32 state) const {
    std::vector<std::string> steps;
    for (u32 s = state; s != 0; s = came_from[s].first) steps.push_back(came_from[s].second);
    std::string out;
    for (std::size_t i = steps.size(); i-- > 0;) out += "  " + steps[i] + "\n";
    return out;
  }
};

class Explorer {
 public:
  explicit Explorer(const Exploration& what) : what_(what), walk_(what) {}

  Explored run() {
    found(walk_.start(), 0, "");
    for (u32 s = 0; s < graph_.worlds.size() && !out_.violation; ++s) expand(s);
    out_.states = graph_.worlds.size();
    out_.steps = graph_.edges.size();
    graph_.first_edge.push_back(static_cast<u32>(graph_.edges.size()));
    if (!out_.violation && !out_.deadlock) look_for_livelock();
    return std::move(out_);
  }

 private:
  u32 found(World world, u32 from, const std::string& step) {
    const auto [at, is_new] = numbers_.try_emplace(world.key(), static_cast<u32>(graph_.worlds.size()));
    if (!is_new) return at->second;
    const u32 number = at->second;
    if (number >= what_.max_states)
      throw InputError(fmt::format("more than {} states: a smaller case can be explored", what_.max_states));
    graph_.came_from.emplace_back(from, step);
    if (const std::string wrong = walk_.wrong(world); !wrong.empty() && !out_.violation)
      out_.violation = wrong + ":\n" + graph_.way_to(number);
    graph_.worlds.push_back(std::move(world));
    return number;
  }

  u32 label_of(const std::string& words, bool is_owed) {
    const auto [at, is_new] = labels_.try_emplace(words, static_cast<u32>(graph_.labels.size()));
    if (is_new) graph_.labels.push_back(words), graph_.is_owed.push_back(is_owed);
    return at->second;
  }

  void expand(u32 state) {
    graph_.first_edge.push_back(static_cast<u32>(graph_.edges.size()));
    const World world = graph_.worlds[state];
    const std::vector<Event> events = walk_.events(world);
    for (const Event& event : events) {
      const std::string words = walk_.words(world, event);
      try {
        const u32 next = found(walk_.after(world, event, &out_), state, words);
        graph_.edges.push_back({state, next, label_of(words, event.kind != Event::Kind::expire)});
      } catch (const std::logic_error& error) {
        out_.violation = fmt::format("{}:\n{}  {}\n", error.what(), graph_.way_to(state), words);
        return;
      }
    }
    if (walk_.is_over(world))
      ++out_.ends;
    else if (events.empty() && !out_.deadlock)
      out_.deadlock = "nothing can happen any more:\n" + graph_.way_to(state);
  }

  // Strongly connected components (Tarjan 1972), without recursion.
  std::vector<std::vector<u32>> components() const;
  // Whether one can go round in a component for ever although nothing that stays possible is put off for
  // ever (weak fairness).
  bool is_fair(const std::vector<u32>& component, const std::vector<u32>& number_of, u32 number) const;
  void look_for_livelock();

  const Exploration& what_;
  Walk walk_;
  Graph graph_;
  std::unordered_map<std::string, u32> numbers_, labels_;
  Explored out_;
};

std::vector<std::vector<u32>> Explorer::components() const {
  const u32 count = static_cast<u32>(graph_.worlds.size());
  std::vector<u32> order(count, 0), low(count, 0), stack, path, next_edge(count, 0);
  std::vector<bool> on_stack(count, false);
  std::vector<std::vector<u32>> out;
  u32 clock = 0;
  for (u32 root = 0; root < count; ++root) {
    if (order[root] != 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const u32 v = path.back();
      if (order[v] == 0) {
        order[v] = low[v] = ++clock;
        stack.push_back(v), on_stack[v] = true;
        next_edge[v] = graph_.first_edge[v];
      }
      if (next_edge[v] < graph_.first_edge[v + 1]) {
        const u32 w = graph_.edges[next_edge[v]++].to;
        if (order[w] == 0)
          path.push_back(w);
        else if (on_stack[w])
          low[v] = std::min(low[v], order[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] != order[v]) continue;
      out.emplace_back();
      for (u32 w = count; w != v;) {
        w = stack.back();
        stack.pop_back(), on_stack[w] = false;
        out.back().push_back(w);
      }
    }
  }
  return out;
}

bool Explorer::is_fair(const std::vector<u32>& component, const std::vector<u32>& number_of,
                       u32 number) const {
  std::vector<u32> possible(graph_.labels.size(), 0);
  std::vector<bool> taken(graph_.labels.size(), false);
  bool has_edge = false;
  for (const u32 s : component)
    for (u32 e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e) {
      const Edge& edge = graph_.edges[e];
      ++possible[edge.label];
      if (number_of[edge.to] != number) continue;
      taken[edge.label] = true;
      has_edge |= edge.to != s || component.size() > 1;
    }
  if (!has_edge) return false;
  for (u32 label = 0; label < possible.size(); ++label)
    if (graph_.is_owed[label] && possible[label] == component.size() && !taken[label]) return false;
  return true;
}

void Explorer::look_for_livelock() {
  const auto all = components();
  std::vector<u32> number_of(graph_.worlds.size());
  for (u32 i = 0; i < all.size(); ++i)
    for (const u32 s : all[i]) number_of[s] = i;
  for (u32 i = 0; i < all.size(); ++i) {
    if (all[i].size() == 1 || !is_fair(all[i], number_of, i)) continue;
    const u32 entry = *std::min_element(all[i].begin(), all[i].end());
    std::set<std::string> round;
    for (const u32 s : all[i])
      for (u32 e = graph_.first_edge[s]; e < graph_.first_edge[s + 1]; ++e)
        if (number_of[graph_.edges[e].to] == i) round.insert(graph_.labels[graph_.edges[e].label]);
    out_.livelock =
        fmt::format("{} states can be gone round for ever, each packet arriving:\n", all[i].size());
    for (const std::string& step : round) *out_.livelock += "  " + step + "\n";
    *out_.livelock += "reached by\n" + graph_.way_to(entry);
    return;
  }
}

}  // namespace

Explored explore(const Exploration& what) { return Explorer(what).run(); }

Exploration cycle_of(u32 hosts) {
  Exploration out;
  out.hosts = hosts;
  for (u32 h = 0; h < hosts; ++h) out.wishes.push_back({h, 0, (h + 1) % hosts});
  return out;
}

}  // namespace banyan::flit
