#include "qsnet/hops.hpp"

#include <map>

namespace banyan::qsnet {
namespace {

Time network_latency(const Routes& routes, const Parameters& p, u32 to) {
  Agenda agenda;
  Network network(routes, network_times(p), agenda);
  Packet packet;
  packet.head_flits = static_cast<u16>((p.packet_overhead + p.block_overhead + 1) / 2);
  packet.route = routes.unicast(0, to);
  network.offer(network.open(0, 0, packet));
  for (;;) {
    const Event event = agenda.pop();
    if (event.kind() == Kind::arrived) return agenda.now();
    network.handle(event);
  }
}

}  // namespace

std::vector<HopLatency> hop_latencies(const Routes& routes, const Parameters& parameters) {
  std::map<u32, u32> first;  // by switches
  for (u32 to = 1; to < routes.topology().fabric.hosts(); ++to)
    first.emplace(routes.unicast(0, to).switches, to);
  std::vector<HopLatency> out;
  for (const auto& [switches, to] : first) {
    const Ping ping{.to = to, .source = Memory::card, .target = Memory::card};
    out.push_back(
        {switches, to, network_latency(routes, parameters, to), ping_latency(routes, parameters, ping)});
  }
  return out;
}

}  // namespace banyan::qsnet
