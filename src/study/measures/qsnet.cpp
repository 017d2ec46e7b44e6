// QsNET on a tree of Elites, one test at a time: docs/qsnet.md is the model.
#include "qsnet/barrier.hpp"
#include "qsnet/collective.hpp"
#include "qsnet/hops.hpp"
#include "qsnet/levels.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

enum class QsnetTest : u8 { latency, bandwidth, half, hops, barrier, hotspot, exchange };
constexpr std::array<std::string_view, 7> option_names(QsnetTest) {
  return {"latency", "bandwidth", "half", "hops", "barrier", "hotspot", "exchange"};
}
enum class Buffers : u8 { ee, em, me, mm, smp };
constexpr std::array<std::string_view, 5> option_names(Buffers) { return {"ee", "em", "me", "mm", "smp"}; }
enum class Ways : u8 { one, both };
constexpr std::array<std::string_view, 2> option_names(Ways) { return {"one", "both"}; }
enum class Library : u8 { elan3lib, tports, mpi };
constexpr std::array<std::string_view, 3> option_names(Library) { return {"elan3lib", "tports", "mpi"}; }
enum class BarrierKind : u8 { linear, tree };
constexpr std::array<std::string_view, 2> option_names(BarrierKind) { return {"linear", "tree"}; }
enum class Direction : u8 { read, write };
constexpr std::array<std::string_view, 2> option_names(Direction) { return {"read", "write"}; }

struct QsnetOptions {
  QsnetTest test = QsnetTest::latency;
  Buffers buffers = Buffers::mm;
  Ways ways = Ways::one;
  Library library = Library::elan3lib;
  u64 bytes = 0;
  u32 hosts = 0, messages = 8;
  BarrierKind shape = BarrierKind::linear;
  Direction access = Direction::read;

  static void fields(auto& self, auto&& f) {
    f("test", self.test,
      "latency, bandwidth or half (the size that gets half of the bandwidth) of a ping; hops; barrier; "
      "hotspot; exchange");
    f("buffers", self.buffers,
      "of a ping: from e (card) or m (main memory) to e or m of another host; smp: within one");
    f("ways", self.ways, "of a ping: one or both");
    f("library", self.library, "of a ping: elan3lib, tports or mpi");
    f("bytes", self.bytes, "of a message");
    f("hosts", self.hosts, "of a barrier, an exchange or a hot spot, which is one of them; 0: all");
    f("messages", self.messages, "of each host of a hot spot");
    f("shape", self.shape, "of a barrier: linear or tree");
    f("access", self.access, "of a hot spot: read or write");
  }
};

void add_hops(Rows& out, const std::vector<qsnet::HopLatency>& hops) {
  for (const qsnet::HopLatency& hop : hops) {
    out.add(fmt::format("network_{}", hop.switches), qsnet::in_us(hop.network), "us");
    out.add(fmt::format("put_{}", hop.switches), qsnet::in_us(hop.put), "us");
  }
}

Rows measure_qsnet(const Situation& at, const QsnetOptions& o) {
  const qsnet::Routes routes(at.topology, *at.routing);
  const qsnet::Parameters parameters{};
  const u32 hosts = o.hosts ? std::min(o.hosts, at.topology.fabric.hosts()) : at.topology.fabric.hosts();
  const qsnet::Placed& placed = qsnet::placements[static_cast<std::size_t>(o.buffers)];
  const qsnet::Ping ping = qsnet::ping_of(placed, o.bytes, o.ways == Ways::both);
  const auto level = static_cast<qsnet::Level>(o.library);
  Rows out;
  switch (o.test) {
    case QsnetTest::latency:
      out.add("time", qsnet::in_us(qsnet::level_latency(routes, parameters, level, ping)), "us");
      break;
    case QsnetTest::bandwidth:
      out.add("bandwidth", qsnet::level_bandwidth(routes, parameters, level, ping), "MB/s");
      break;
    case QsnetTest::half: {
      const double peak = qsnet::level_bandwidth(routes, parameters, level, ping);
      out.add("bandwidth", peak, "MB/s");
      out.add("half", qsnet::half_size(routes, parameters, qsnet::ping_of(placed, 0), peak), "bytes");
      break;
    }
    case QsnetTest::hops:
      add_hops(out, qsnet::hop_latencies(routes, parameters));
      break;
    case QsnetTest::barrier: {
      const auto shape = static_cast<qsnet::BarrierShape>(o.shape);
      out.add("time", qsnet::in_us(qsnet::barrier_time(routes, parameters, hosts, shape)), "us");
      break;
    }
    case QsnetTest::hotspot:
      out.add("bandwidth",
              qsnet::hotspot_bandwidth(routes, parameters, static_cast<qsnet::Access>(o.access), hosts - 1,
                                       o.bytes, o.messages),
              "MB/s");
      break;
    case QsnetTest::exchange:
      out.add("time", qsnet::in_us(qsnet::exchange_time(routes, parameters, hosts, o.bytes)), "us");
  }
  return out;
}

std::string unused_in_qsnet(const Topology&, const Routing&, const PluginText& text, std::string_view key) {
  const QsnetTest test = read_options<QsnetOptions>(text).test;
  const bool is_ping = test == QsnetTest::latency || test == QsnetTest::bandwidth || test == QsnetTest::half;
  const bool is_crowd =
      test == QsnetTest::barrier || test == QsnetTest::hotspot || test == QsnetTest::exchange;
  const bool sends = is_ping || test == QsnetTest::hotspot || test == QsnetTest::exchange;
  const std::pair<std::string_view, bool> used[] = {
      {"buffers", is_ping},
      {"ways", is_ping},
      {"library", is_ping},
      {"bytes", sends},
      {"hosts", is_crowd},
      {"messages", test == QsnetTest::hotspot},
      {"shape", test == QsnetTest::barrier},
      {"access", test == QsnetTest::hotspot},
  };
  for (const auto& [option, is_used] : used)
    if (option == key && !is_used)
      return fmt::format("{} changes nothing in the test {}", key, option_text(test));
  return "";
}

double qsnet_seconds(const PointWork& work, const QsnetOptions& o) {
  const double hosts = o.hosts ? o.hosts : work.hosts(), packets = 1 + static_cast<double>(o.bytes) / 320;
  return 1e-6 * packets *
         (o.test == QsnetTest::exchange  ? hosts * hosts
          : o.test == QsnetTest::hotspot ? 8 * hosts
                                         : 100);
}

}  // namespace

StudyMeasure qsnet_measure() {
  StudyMeasure out = make_measure<measure_qsnet, qsnet_seconds>(
      "qsnet", "pings, barriers, hot spots and exchanges of QsNET", Needs::routing, "time");
  out.unused = unused_in_qsnet;
  return out;
}

}  // namespace banyan::study
