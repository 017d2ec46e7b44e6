// Kautz graphs (Kautz 1968): words of n letters out of d + 1 in which no letter follows itself, each joined
// to the words that begin with its tail. Cables go both ways, so what is joined both ways is joined once.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/saturating.hpp"
#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

// Words in the order of their numbers: the first letter out of d + 1, every other one out of the d that
// differ from the letter before.
std::vector<u32> letters(u32 word, u32 d, u32 n) {
  std::vector<u32> out(n);
  for (u32 i = n; i-- > 1; word /= d) out[i] = word % d;
  out[0] = word;
  for (u32 i = 1; i < n; ++i) out[i] += out[i] >= out[i - 1];
  return out;
}

u32 number_of(const std::vector<u32>& word, u32 d) {
  u32 out = word[0];
  for (std::size_t i = 1; i < word.size(); ++i) out = out * d + word[i] - (word[i] > word[i - 1]);
  return out;
}

FamilyResult kautz(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "d,n") : std::vector<u32>();
  if (v.size() != 2 || v[1] > 32) n.fail("expected the degree and up to 32 letters: Kautz(d,n)");
  const u32 d = v[0], length = v[1];
  u64 words = u64{d} + 1;
  for (u32 i = 1; i < length; ++i) words = saturating_multiply(words, d);
  GraphShape shape = read_graph(n, fmt::format("Kautz({},{}", d, length), {words, 2 * u64{d}, d});
  for (u32 s = 0; s < words; ++s) {
    std::vector<u32> word = letters(s, d, length);
    shape.groups[s] = word[0];
    std::rotate(word.begin(), word.begin() + 1, word.end());
    for (u32 letter = 0; letter < d + 1; ++letter) {
      word.back() = letter;
      if (length > 1 ? letter == word[length - 2] : letter == s) continue;
      if (const u32 to = number_of(word, d); s != to)
        shape.edges.push_back({std::min(s, to), std::max(s, to)});
    }
  }
  std::sort(shape.edges.begin(), shape.edges.end());
  shape.edges.erase(std::unique(shape.edges.begin(), shape.edges.end()), shape.edges.end());
  return shape;
}

// A word that begins with its first letter, uses a new one only when all smaller ones were used, and stands
// for all words that other letters in their places make: they look alike from the others.
struct WordPattern {
  std::vector<u32> word;
  u64 words = 1;
};

void each_pattern(u32 d, u32 n, WordPattern& begun, const std::function<void(const WordPattern&)>& f) {
  if (begun.word.size() == n) return f(begun);
  const u32 used = begun.word.empty() ? 0 : *std::max_element(begun.word.begin(), begun.word.end()) + 1;
  for (u32 letter = 0; letter <= std::min(used, d); ++letter) {
    if (!begun.word.empty() && begun.word.back() == letter) continue;
    const u64 choices = letter == used ? d + 1 - used : 1;
    begun.word.push_back(letter);
    begun.words *= choices;
    each_pattern(d, n, begun, f);
    begun.words /= choices;
    begun.word.pop_back();
  }
}

Distances kautz_distances(const GraphShape& shape, u32 d, u32 n) {
  const ListedHops hops(shape);
  HopSum all;
  WordPattern begun;
  std::map<u64, std::vector<u32>> by_words;  // many at a time are searched faster
  each_pattern(d, n, begun, [&](const WordPattern& pattern) {
    by_words[pattern.words].push_back(number_of(pattern.word, d));
  });
  for (const auto& [words, sources] : by_words) {
    const HopSum some = hops.from(sources);
    all.sum += words * some.sum;
    all.farthest = std::max(all.farthest, some.farthest);
  }
  return distances_by(all, shape.switches(), shape.hosts_per_switch);
}

// Words by how many of their letters are of the first half: neighbours differ by one letter.
u64 kautz_cut(const GraphShape& shape, u32 d, u32 n) {
  std::vector<std::pair<u32, u32>> words;
  for (u32 s = 0; s < shape.switches(); ++s) {
    const std::vector<u32> word = letters(s, d, n);
    const auto low = std::count_if(word.begin(), word.end(), [&](u32 l) { return 2 * l < d + 1; });
    words.emplace_back(static_cast<u32>(low), s);
  }
  std::sort(words.begin(), words.end());
  std::vector<u32> order;
  for (const auto& [_, s] : words) order.push_back(s);
  return std::min(mean_cut(shape), cut_in_order(shape, order));
}

// One letter would be a full mesh.
void propose_kautz(const Proposals& out) {
  constexpr u64 max_switches = 1 << 14;  // whose cables are listed, in less than a second
  const SizeDemand& demand = out.demand();
  for (u32 d = 2; 2 * d < demand.ports; ++d) {
    u64 switches = u64{d} * (d + 1);
    for (u32 n = 2; switches <= max_switches; ++n, switches *= d) {
      const u64 hosts = (demand.hosts + switches - 1) / switches, ports = hosts + 2 * u64{d};
      if (ports > demand.ports || switches * hosts > demand.hosts_at_most ||
          !demand.fills(1, static_cast<double>(ports), static_cast<double>(hosts)))
        continue;
      const Notation notation = parse_notation(fmt::format("Kautz({},{}; hosts={})", d, n, hosts));
      GraphShape shape = std::get<GraphShape>(std::get<Shape>(kautz(notation).what));
      shape.known = {kautz_distances(shape, d, n), searched_cut(shape, kautz_cut(shape, d, n))};
      const u32 farthest = shape.known.distances.diameter - 2;
      Outline found = outline(std::move(shape), demand.rails, demand.ports);
      found.far_permutation = has_far_permutation(switches, 2 * u64{d}, farthest);
      out.add(std::move(found));
    }
  }
}

}  // namespace

Family kautz_family() {
  return {"Kautz",
          "Kautz(d,n; hosts=T)",
          "Kautz(2,3)",
          "d^n + d^(n-1) switches of degree 2 d at most and diameter n at most",
          "Kautz, Theory of Graphs, 1968",
          kautz,
          propose_kautz};
}

}  // namespace banyan::topology
