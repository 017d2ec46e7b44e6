#include "qsnet/collective.hpp"

namespace banyan::qsnet {
namespace {

u64 packets_of(const Parameters& p, u64 bytes) {
  const u64 maximum = u64{p.block_bytes} * p.packet_blocks;
  return std::max<u64>(1, (bytes + maximum - 1) / maximum);
}

}  // namespace

u64 hotspot_packets(const Parameters& parameters, Access access, u32 partners, u64 bytes, u32 messages) {
  const u64 request = access == Access::read ? 1 : 0;
  return u64{partners} * messages * (packets_of(parameters, bytes) + request);
}

u64 exchange_packets(const Parameters& parameters, u32 hosts, u64 bytes) {
  const u64 barrier = 2 * u64{hosts} - 1;  // all but the first report to it; all hear of the end
  return barrier + u64{hosts} * (hosts - 1) * packets_of(parameters, bytes);
}

double hotspot_bandwidth(const Routes& routes, const Parameters& parameters, Access access, u32 partners,
                         u64 bytes, u32 messages, Progress* progress) {
  Machine machine(routes, parameters);
  machine.show(progress);
  std::vector<u32> done(partners + 1, machine.add_event({})), left(partners + 1, messages);
  const auto post = [&](u32 host) {
    machine.reset_event(done[host], 1);
    if (access == Access::write)
      machine.put({.from = host, .to = 0, .bytes = bytes, .source_event = done[host]});
    else
      machine.get({.from = 0, .to = host, .bytes = bytes, .target_event = done[host]});
  };
  for (u32 host = 1; host <= partners; ++host) {
    done[host] = machine.add_event({.card = host, .then = Reaction::host});
    post(host);
  }
  while (const auto notice = machine.next())
    if (--left[notice->host] > 0) post(notice->host);
  return static_cast<double>(bytes) * partners * messages / in_us(machine.now());
}

Time exchange_time(const Routes& routes, const Parameters& parameters, u32 hosts, u64 bytes,
                   Progress* progress) {
  Machine machine(routes, parameters);
  machine.show(progress);
  Barrier barrier(machine, hosts, BarrierShape::linear);
  std::vector<u32> received;
  for (u32 h = 0; h < hosts; ++h) {
    received.push_back(
        machine.add_event({.card = h, .count = hosts - 1, .then = Reaction::host, .subject = 0}));
    barrier.enter(h);
  }
  const auto exchange = [&](u32 host) {
    for (u32 i = 1; i < hosts; ++i) {
      const u32 to = (host + i) % hosts;
      const bool is_last = i + 1 == hosts;
      const u32 sent = machine.add_event({.card = host, .then = is_last ? Reaction::host : Reaction::rest});
      machine.put(
          {.from = host, .to = to, .bytes = bytes, .source_event = sent, .target_event = received[to]});
    }
  };
  Time last = 0;
  while (const auto notice = machine.next()) {
    if (notice->tag < Barrier::first_tag) {
      last = machine.now();
    } else if (barrier.advance(*notice)) {
      exchange(notice->host);
    }
  }
  return last;
}

}  // namespace banyan::qsnet
