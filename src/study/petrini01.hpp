// The parts of petrini01: the trees, what crosses the network, what two hosts measure, what many do.
#pragma once
#include "engines/engine.hpp"
#include "qsnet/parameters.hpp"
#include "qsnet/routes.hpp"
#include "study/paper.hpp"

namespace banyan::study {

// A k-ary n-tree of Elites with its adaptive routing, and the parameters: the same everywhere.
struct QsnetFabric {
  explicit QsnetFabric(std::string_view notation)
      : topology(make_topology(notation)), routing(routed(topology)), routes(topology, routing) {}
  QsnetFabric(const QsnetFabric&) = delete;
  QsnetFabric& operator=(const QsnetFabric&) = delete;

  Topology topology;
  Routing routing;
  qsnet::Routes routes;
  qsnet::Parameters parameters{};

 private:
  static Routing routed(const Topology& topology);
};

void petrini01_trees(Reproduction& out);
void petrini01_network(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options);
void petrini01_pings(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options);
void petrini01_many(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options);
void petrini01_levels(Reproduction& out, const QsnetFabric& eight, const PaperOptions& options);

}  // namespace banyan::study
