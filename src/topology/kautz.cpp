// Kautz graphs (Kautz 1968): words of n letters out of d + 1 in which no letter follows itself, each joined
// to the words that begin with its tail. Cables go both ways, so what is joined both ways is joined once.
#include <fmt/format.h>

#include <algorithm>

#include "base/saturating.hpp"
#include "topology/family.hpp"

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

}  // namespace

Family kautz_family() {
  return {"Kautz",
          "Kautz(d,n; hosts=T)",
          "Kautz(2,3)",
          "d^n + d^(n-1) switches of degree 2 d at most and diameter n at most",
          "Kautz, Theory of Graphs, 1968",
          kautz};
}

}  // namespace banyan::topology
