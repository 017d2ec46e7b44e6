// Graphs of switches as sets of neighbours, and what is known of a graph by trying everything: for small
// ones. Parallel cables are one edge.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::tests {

using Neighbours = std::vector<std::set<u32>>;  // by switch

inline Neighbours graph_of(std::string_view notation) {
  const Topology topology = make_topology(notation);
  const Fabric& fabric = topology.fabric;
  Neighbours out(fabric.switches());
  fabric.each_link([&](const Link& link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    if (!fabric.is_switch(a) || !fabric.is_switch(b)) return;
    out[index(a) - fabric.nics()].insert(index(b) - fabric.nics());
    out[index(b) - fabric.nics()].insert(index(a) - fabric.nics());
  });
  return out;
}

// By breadth-first searches; 0 where some switch cannot be reached.
inline u32 diameter(const Neighbours& graph) {
  u32 out = 0;
  for (u32 start = 0; start < graph.size(); ++start) {
    std::vector<u32> distance(graph.size(), ~0u), front = {start};
    distance[start] = 0;
    for (std::size_t i = 0; i < front.size(); ++i)
      for (const u32 next : graph[front[i]])
        if (distance[next] == ~0u) distance[next] = distance[front[i]] + 1, front.push_back(next);
    if (front.size() < graph.size()) return 0;
    out = std::max(out, distance[front.back()]);
  }
  return out;
}

inline std::map<std::size_t, u32> degrees(const Neighbours& graph) {
  std::map<std::size_t, u32> out;
  for (const auto& next : graph) ++out[next.size()];
  return out;
}

// The length of the shortest cycle.
inline u32 girth(const Neighbours& graph) {
  u32 out = ~0u;
  for (u32 start = 0; start < graph.size(); ++start) {
    std::vector<u32> distance(graph.size(), ~0u), parent(graph.size(), ~0u), front = {start};
    distance[start] = 0;
    for (std::size_t i = 0; i < front.size(); ++i)
      for (const u32 next : graph[front[i]]) {
        if (distance[next] == ~0u)
          distance[next] = distance[front[i]] + 1, parent[next] = front[i], front.push_back(next);
        else if (next != parent[front[i]])
          out = std::min(out, distance[front[i]] + distance[next] + 1);
      }
  }
  return out;
}

// Eigenvalues of the adjacency matrix, largest first, by Jacobi's rotations; cubic in the switches. A switch
// that is its own neighbour has a one on the diagonal.
inline std::vector<double> spectrum(const Neighbours& graph) {
  const std::size_t n = graph.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (const u32 j : graph[i]) a[i][j] = 1;
  const auto rotate = [&](std::size_t p, std::size_t q) {
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double tangent = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double cosine = 1 / std::hypot(tangent, 1.0), sine = tangent * cosine;
    for (std::size_t k = 0; k < n; ++k) {
      const double x = a[k][p], y = a[k][q];
      a[k][p] = cosine * x - sine * y, a[k][q] = sine * x + cosine * y;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double x = a[p][k], y = a[q][k];
      a[p][k] = cosine * x - sine * y, a[q][k] = sine * x + cosine * y;
    }
  };
  for (double off = 1; off > 1e-18;) {
    off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        off += a[p][q] * a[p][q];
        if (std::abs(a[p][q]) > 1e-15) rotate(p, q);
      }
  }
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i][i];
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

}  // namespace banyan::tests
