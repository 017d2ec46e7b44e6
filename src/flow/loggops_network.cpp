#include "flow/loggops_network.hpp"

#include "flow/program_network.hpp"

namespace banyan::flow {
namespace {

enum class Side : u8 { sender, receiver, neither };

// Which ports a flow needs, and for how long.
class PortLister {
 public:
  PortLister(const Fabric& fabric, const ProgramOptions& options, LogGopsFlows& out)
      : fabric_(fabric),
        options_(options),
        rates_(options.network.rates),
        channels_(static_cast<u32>(fabric.channels().size())),
        inside_(channels_, rates_.inside),
        limits_(channels_ + (rates_.inside.limits() ? 2 * fabric.hosts() * rates_.inside.accelerators : 0)),
        out_(out) {
    out.ports = limits_ + 2 * fabric.nics();
  }

  // Adds the uses of one side; returns for how many seconds bytes pass the slowest port.
  double add(const traffic::Flow& flow, const Incidence& listed, u32 number, Side side) {
    bytes_ = flow.demand;
    double slowest = 0;
    for (u64 i = listed.first[number]; i < listed.first[number + 1]; ++i)
      if (side_of(listed.channels[i], flow) == side)
        slowest = std::max(slowest, add(listed.channels[i], listed.shares[i], side));
    return slowest;
  }

 private:
  Side side_of(Channel c, const traffic::Flow& flow) const {
    if (index(c) < channels_) {
      if (!fabric_.is_switch(fabric_.from(c))) return Side::sender;
      return fabric_.is_switch(fabric_.to(c)) ? Side::neither : Side::receiver;
    }
    const Host from = fabric_.host(flow.from), to = fabric_.host(flow.to);
    if (from == to) return inside_.is_into(c) ? Side::receiver : Side::sender;
    return inside_.host(c) == from ? Side::sender : Side::receiver;
  }

  double add(Channel c, double share, Side side) {
    if (index(c) >= channels_) return use(index(c), share / rates_.inside.bandwidth, 0);
    const double port = use(index(c), share * options_.byte_gap, options_.network.gap);
    if (rates_.host == std::numeric_limits<double>::infinity()) return port;
    const u32 nic = side == Side::sender ? index(fabric_.from(c)) : fabric_.nics() + index(fabric_.to(c));
    return std::max(port, use(limits_ + nic, share / rates_.host, 0));
  }

  // LogGP has g + (s - 1) G between the starts of two messages. The first byte needs its time, too.
  double use(u32 port, double byte_gap, double gap) {
    const double seconds = bytes_ * byte_gap, rest = std::max(0.0, bytes_ - 1) * byte_gap;
    out_.uses.push_back({port, std::max(seconds, gap + rest)});
    return seconds;
  }

  const Fabric& fabric_;
  const ProgramOptions& options_;
  const RateOptions& rates_;
  u32 channels_;
  InsideChannels inside_;
  u32 limits_;  // where ports begin that are whole NICs: first what they send, then what they receive
  LogGopsFlows& out_;
  double bytes_ = 0;
};

}  // namespace

LogGopsFlows::LogGopsFlows(const Fabric& fabric, const Routing& routing, const Program& program,
                           const Placement& placement, const ProgramOptions& options)
    : first(program.size() + 1, 0), alone(program.size()) {
  const ProgramFlows of(fabric, routing, program, placement, options);
  const Incidence& listed = of.carried.listed;
  PortLister lister(fabric, options, *this);
  for (u32 f = 0; f < of.carried.flows.size(); ++f) {
    const traffic::Flow& flow = of.carried.flows[f];
    const Op send = of.sends[of.carried.message[f]];
    const u32 sending = static_cast<u32>(uses.size());
    double seconds = lister.add(flow, listed, f, Side::sender);
    const u32 receiving = static_cast<u32>(uses.size());
    seconds = std::max(seconds, lister.add(flow, listed, f, Side::receiver));
    // L is from the beginning of the first byte to its end, which takes as long as another byte at least.
    const double first_byte = seconds / std::max(1.0, flow.demand), lasts = seconds - first_byte;
    const double whole =
        listed.hops[f] == 0 ? 0 : options.latency + options.network.latency_of(listed.hops[f]);
    const double latency = std::max(0.0, whole - first_byte);
    flows.push_back({send, latency, seconds, lasts, sending, receiving});
    alone[send].arrives = std::max(alone[send].arrives, latency + seconds);
    alone[send].lasts = std::max(alone[send].lasts, lasts);
    ++first[send + 1];
  }
  const u32 end = static_cast<u32>(uses.size());
  flows.push_back({0, 0, 0, 0, end, end});
  for (Op op = 0; op < program.size(); ++op) first[op + 1] += first[op];
}

}  // namespace banyan::flow
