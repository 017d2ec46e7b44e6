// The chains by SimGrid: max-min of S4U (CM02) on SimGrid's own fat-tree, which routes by d-mod-k, with an
// actor for each chain. Prints the CPU seconds of the run, those of the whole process, and the simulated
// seconds.
#include <cstdio>
#include <simgrid/s4u.hpp>

#include "chains.hpp"

namespace sg4 = simgrid::s4u;

int main(int argc, char** argv) {
  const Chains chains = chains_of(argc, argv);
  int count = 1;
  // What is compared are the rates: no factors of TCP, no cross-traffic, no window. The fastest contexts.
  sg4::Engine engine(&count, argv);
  sg4::Engine::set_config("contexts/factory:boost");
  sg4::Engine::set_config("contexts/stack-size:64");
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/crosstraffic:0");
  sg4::Engine::set_config("network/TCP-gamma:0");
  const unsigned hosts = chains.tree.hosts();
  std::vector<sg4::Host*> node(hosts);
  const sg4::ClusterCallbacks callbacks(
      [&](sg4::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
        node[id] = zone->create_host("h" + std::to_string(id), 1e9)->seal();
        return std::make_pair(node[id]->get_netpoint(),
                              static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
      });
  const unsigned levels = static_cast<unsigned>(chains.tree.down.size());
  sg4::create_fatTree_zone("fabric", nullptr,
                           {levels, chains.tree.down, chains.tree.up, std::vector<unsigned>(levels, 1)},
                           callbacks, 1e9, 0, sg4::Link::SharingPolicy::SPLITDUPLEX)
      ->seal();
  for (unsigned host = 0; host < hosts; ++host)
    for (unsigned chain = 0; chain < chains.each; ++chain)
      sg4::Actor::create("a", node[host], [&, host, chain] {
        for (unsigned number = 0; number < chains.length; ++number) {
          const Message message = chains.message(host, chain, number);
          sg4::Comm::sendto(node[host], node[message.to], message.bytes);
        }
      });
  const double before = cpu();
  engine.run();
  const double after = cpu();
  std::printf("%.6f %.6f %.12f\n", after - before, after, engine.get_clock());
  return 0;
}
