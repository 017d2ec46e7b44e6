#include "verify/certificate.hpp"

#include <fmt/format.h>

#include <array>
#include <istream>
#include <ostream>
#include <set>
#include <sstream>
#include <tuple>

#include "base/error.hpp"
#include "fabric/attachments.hpp"
#include "fabric/names.hpp"
#include "routing/step.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::verify {
namespace {

u32 number_of(const Certificate& certificate, Channel c, u32 lane) {
  return lane < certificate.lanes ? certificate.number[index(c) * certificate.lanes + lane] : 0;
}

template <class F>
auto hops_at(const F& forward, Node node, const Header& header) {
  if constexpr (Deterministic<F>) {
    return std::array{forward.next(node, header)};
  } else {
    static thread_local Hops hops;
    offered(forward, node, header, hops);
    return std::vector<Hop>(hops.begin(), hops.end());
  }
}

// Follows headers by every channel and lane once for each destination, and looks only at numbers. Whether
// packets arrive is not the question here. It ends, since numbers cannot rise for ever.
template <class F>
class Recheck {
 public:
  Recheck(const Certificate& certificate, const Fabric& fabric, const F& forward)
      : certificate_(certificate), fabric_(fabric), forward_(forward) {}

  bool rises(Nic from, Nic to, const Header& header) {
    if (to_ != fabric_.node(to)) been_.clear();
    to_ = fabric_.node(to);
    for (const Hop& hop : hops_at(forward_, fabric_.node(from), header)) {
      const Step step = take(fabric_, fabric_.node(from), hop, to_);
      Header next = header;
      next.state = step.state;
      if (step.leads_on() && !rises(step.node, next, none<Channel>, 0)) return false;
    }
    return true;
  }

 private:
  bool rises(Node node, const Header& header, Channel held, u16 held_lanes) {
    for (const Hop& hop : hops_at(forward_, node, header)) {
      const Step step = take(fabric_, node, hop, to_);
      if (!step.leads_on()) continue;
      const Channel wanted = step.channel;
      if (held != none<Channel> && !rises(held, held_lanes, wanted, step.lanes)) return false;
      Header next = header;
      next.state = step.state;
      if (!been_.emplace(wanted, step.lanes, next.lane, next.state, next.tag, next.to).second) continue;
      if (!rises(step.node, next, wanted, step.lanes)) return false;
    }
    return true;
  }

  bool rises(Channel held, u16 held_lanes, Channel wanted, u16 wanted_lanes) const {
    for (u32 a = 0; held_lanes >> a; ++a)
      for (u32 b = 0; wanted_lanes >> b; ++b)
        if ((held_lanes >> a & 1) && (wanted_lanes >> b & 1) && number(held, a) >= number(wanted, b))
          return false;
    return true;
  }
  u32 number(Channel c, u32 lane) const { return number_of(certificate_, c, lane); }

  const Certificate& certificate_;
  const Fabric& fabric_;
  const F& forward_;
  Node to_ = none<Node>;
  std::set<std::tuple<Channel, u16, u8, u8, u64, Address>> been_;
};

// The same for the numbers of an escape. Whoever comes to a switch is offered a channel with a number above
// all that it may hold, or its destination, and all that it is offered as an escape has such a number: so who
// follows escapes arrives, and no packets wait for each other's escapes in a circle.
template <MayHaveEscape F>
class EscapeRecheck {
 public:
  EscapeRecheck(const Certificate& certificate, const Fabric& fabric, const F& forward)
      : certificate_(certificate), fabric_(fabric), forward_(forward) {}

  bool rises(Nic from, Nic to, const Header& header) {
    to_ = fabric_.node(to);
    been_.clear();
    return rises(fabric_.node(from), header, 0);
  }

 private:
  // `held`: the highest number of those that the packet may hold.
  bool rises(Node node, const Header& header, u32 held) {
    if (!been_.emplace(node, header.state, held).second) return true;
    bool has_escape = !fabric_.is_switch(node);
    for (const Hop& hop : hops_at(forward_, node, header)) {
      const Step step = take(fabric_, node, hop, to_);
      const bool escapes = step.arrived() || forward_.is_escape(hop);
      has_escape |= escapes;
      if (step.lost() && escapes) return false;
      if (!step.leads_on()) continue;
      Header next = header;
      next.state = step.state;
      for (u32 lane = 0; step.lanes >> lane; ++lane) {
        if (!(step.lanes >> lane & 1)) continue;
        const u32 taken = fabric_.is_switch(node) ? number(step.channel, lane) : 0;
        if (escapes && taken <= held) return false;
        if (!rises(step.node, next, std::max(held, taken))) return false;
      }
    }
    return has_escape;
  }
  u32 number(Channel c, u32 lane) const { return number_of(certificate_, c, lane); }

  const Certificate& certificate_;
  const Fabric& fabric_;
  const F& forward_;
  Node to_ = none<Node>;
  std::set<std::tuple<Node, u8, u32>> been_;
};

// Whether the routing says that two NICs start alike: it reads no more than what both are cabled to.
template <class F>
bool start_alike(const Fabric& fabric, const F& forward, const Source& source, PairScope scope, Nic a,
                 Nic b) {
  return source.reads() != Reads::nic && enters_alike(forward) && cabled_alike(fabric, a, b, scope);
}

template <class Follow, class F>
bool rises_everywhere(Follow&& follow, const Fabric& fabric, const F& forward, const Source& source,
                      PairScope scope) {
  std::vector<Nic> like(fabric.nics());  // a NIC before it that starts alike, else itself
  for (u32 nic = 0; nic < fabric.nics(); ++nic)
    like[nic] =
        Nic{nic && start_alike(fabric, forward, source, scope, Nic{nic - 1}, Nic{nic}) ? nic - 1 : nic};

  for (u32 to = 0; to < fabric.nics(); ++to)
    for (u32 from = 0; from < fabric.nics(); ++from) {
      if (from == to || domain_of(fabric, Nic{from}, scope) != domain_of(fabric, Nic{to}, scope)) continue;
      if (like[from] != Nic{from} && like[from] != Nic{to}) continue;
      for (u64 bytes : source.sizes())
        for (u32 i = 0; i < source.count(Nic{from}, Nic{to}, bytes); ++i)
          if (!follow.rises(Nic{from}, Nic{to}, source.way(Nic{from}, Nic{to}, bytes, i))) return false;
    }
  return true;
}

template <class F>
bool recheck(const Certificate& certificate, const Fabric& fabric, const F& forward, const Source& source) {
  if constexpr (MayHaveEscape<F>)
    if (certificate.of_escape && forward.has_escape())
      return rises_everywhere(EscapeRecheck<F>(certificate, fabric, forward), fabric, forward, source,
                              certificate.scope);
  return !certificate.of_escape && rises_everywhere(Recheck<F>(certificate, fabric, forward), fabric, forward,
                                                    source, certificate.scope);
}

constexpr std::string_view title = "banyan certificate, lanes", escape_title = "banyan escape, lanes",
                           rail_scope = ", pairs of one rail";

}  // namespace

bool recheck(const Certificate& certificate, const Fabric& fabric, const Routing& routing) {
  if (certificate.number.size() != fabric.channels().size() * std::size_t{certificate.lanes}) return false;
  return visit_forward(
      [&](const auto& forward) { return recheck(certificate, fabric, forward, routing.source); },
      routing.forward);
}

void write_certificate(std::ostream& out, const Certificate& certificate, const Fabric& fabric) {
  out << fmt::format("{} {}{}\n", certificate.of_escape ? escape_title : title, certificate.lanes,
                     certificate.scope == PairScope::rail ? rail_scope : "")
      << (certificate.of_escape
              ? "# Numbers of the escape's channels: who may wait for one holds none with a higher number.\n"
              : "# Numbers of channels between switches that only rise along routes: no packets wait in a "
                "circle.\n")
      << "# channel lane number # port; a channel that is not listed has number 0\n";
  for (Channel c : fabric.channels())
    for (u32 lane = 0; lane < certificate.lanes; ++lane) {
      const u32 number = certificate.number[index(c) * certificate.lanes + lane];
      if (number) out << fmt::format("{} {} {} # {}\n", index(c), lane, number, port_name(fabric, c));
    }
}

Certificate read_certificate(std::istream& in, const std::string& file, const Fabric& fabric) {
  Certificate out;
  std::string line;
  std::getline(in, line);
  out.of_escape = line.starts_with(escape_title);
  if (line.ends_with(rail_scope)) {
    out.scope = PairScope::rail;
    line.resize(line.size() - rail_scope.size());
  }
  const std::string_view begins = out.of_escape ? escape_title : title;
  std::istringstream first(line.starts_with(begins) ? line.substr(begins.size()) : "");
  if (!(first >> out.lanes) || out.lanes == 0 || out.lanes > 16)
    throw InputError({file, 1}, fmt::format("expected '{} N', found '{}'", title, line));
  out.number.resize(fabric.channels().size() * std::size_t{out.lanes});
  for (u64 at = 2; std::getline(in, line); ++at) {
    std::istringstream words(line.substr(0, line.find('#')));
    u32 channel = 0, lane = 0, number = 0;
    if ((words >> std::ws).eof()) continue;
    if (!(words >> channel >> lane >> number) || !(words >> std::ws).eof() ||
        channel >= fabric.channels().size() || lane >= out.lanes)
      throw InputError({file, at}, fmt::format("expected 'CHANNEL LANE NUMBER', found '{}'", line));
    out.number[std::size_t{channel} * out.lanes + lane] = number;
  }
  return out;
}

}  // namespace banyan::verify
