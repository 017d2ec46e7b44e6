#include "ask/pair_ways.hpp"

#include <algorithm>

#include "routing/visit_forward.hpp"

namespace banyan::ask {

std::vector<std::pair<Channel, double>> PairWays::parts(Nic from, Nic to) {
  std::vector<std::pair<Channel, double>> out;
  lister_.source().ways(from, to, long_message, ways_);
  const auto add = [&](const auto& forward) {
    for (const Header& header : ways_) {
      if (!lister_.list(forward, from, to, header, way_)) return out.clear();
      for (const Passage& part : way_.parts)
        out.emplace_back(part.channel, part.share / static_cast<double>(ways_.size()));
    }
  };
  visit_forward(add, lister_.forward());
  std::sort(out.begin(), out.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (kept > 0 && out[kept - 1].first == out[i].first)
      out[kept - 1].second += out[i].second;
    else
      out[kept++] = out[i];
  out.resize(kept);
  return out;
}

}  // namespace banyan::ask
