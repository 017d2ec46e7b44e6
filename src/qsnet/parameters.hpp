// QsNET's parameters, all of them, in one place: value, unit, where it comes from. A fitted one names the
// figures of petrini01 that it was fitted to; docs/qsnet.md argues for each.
#pragma once
#include <string_view>

#include "base/types.hpp"

namespace banyan::qsnet {

enum class Origin : u8 { paper, fitted, assumed };

struct Parameters {
  // Elite and the wires
  double link_rate = 400, switch_latency = 35, wire_latency = 15;
  u32 lane_flits = 128, block_bytes = 64, packet_blocks = 5, packet_overhead = 8, block_overhead = 10;
  double ageing = 10;
  // host bus and card
  double write_rate = 275, read_rate = 200, bus_rate = 290, spread = 0.05, card_rate = 545,
         read_latency = 0.65;
  double command = 0.36, dma = 0.475, input = 0.2, event = 0.57;
  double slice = 256;
  // libraries
  double barrier = 1.05, match = 0.8, mpi = 0.1, copy_rate = 300;
  u32 inline_bytes = 320, eager = 64;

  // f(key, value, unit, origin, source, meaning)
  static void list(auto& self, auto&& f);
  static void fields(auto& self, auto&& f) {
    list(self, [&](std::string_view key, auto& value, std::string_view, Origin, std::string_view,
                   std::string_view meaning) { f(key, value, meaning); });
  }
};

void Parameters::list(auto& self, auto&& f) {
  using enum Origin;
  f("link-rate", self.link_rate, "MB/s", paper, "2.2", "of a link, each way");
  f("switch-latency", self.switch_latency, "ns", paper, "2.2", "flow-through latency of an Elite");
  f("wire-latency", self.wire_latency, "ns", paper, "5.1: 50 ns a hop less the switch",
    "of wire and protocol");
  f("lane-flits", self.lane_flits, "flits", paper, "2.1.6", "FIFO of each of the two lanes of a link");
  f("block-bytes", self.block_bytes, "bytes", paper, "5.3", "of a write-block transaction");
  f("packet-blocks", self.packet_blocks, "", paper, "5.3: 320 bytes", "blocks of the longest packet");
  f("packet-overhead", self.packet_overhead, "bytes", paper, "5.3: 58 = 8 + 5 x 10, the split is assumed",
    "added to a packet");
  f("block-overhead", self.block_overhead, "bytes", paper, "5.3: 58 = 8 + 5 x 10, the split is assumed",
    "added to each transaction of a packet");
  f("ageing", self.ageing, "us", assumed, "2.2 names ageing, not its time",
    "after which a waiting head of low priority counts as one of high");
  f("write-rate", self.write_rate, "MB/s", paper, "5.3", "of the host bus writing main memory");
  f("read-rate", self.read_rate, "MB/s", paper, "5.3", "of the host bus reading main memory");
  f("bus-rate", self.bus_rate, "MB/s", fitted, "5.4: 140 both ways, 150 inside one SMP: 280 to 300",
    "of the host bus, reads and writes together");
  f("spread", self.spread, "", fitted, "5.7: 130 of 140 MB/s in the total exchange",
    "hosts are not alike: their buses are slower than host 0's by up to this share");
  f("card-rate", self.card_rate, "MB/s", fitted, "5.4: 270 MB/s both ways",
    "of the data bus inside the card, shared by DMA engine and inputter");
  f("read-latency", self.read_latency, "us", fitted, "5.3: 3.7 us main to main",
    "of a read of main memory, until data flow");
  f("command", self.command, "us", fitted, "5.3: 2.1 us for 0 bytes, half of the peak at 512",
    "from the write to the command port until the descriptor is queued");
  f("dma", self.dma, "us", fitted, "5.3: 2.1 us for 0 bytes, half of the peak at 512",
    "to begin a DMA: descriptor, protection, route");
  f("input", self.input, "us", fitted, "5.2: 6.2 to 7.4 us", "of the inputter for each packet");
  f("event", self.event, "us", fitted, "5.4: 0.5 us more both ways", "to fire an event");
  f("slice", self.slice, "KB", fitted, "5.7: the total exchange drops past 256 KB",
    "of a DMA, after which the next in the queue has its turn");
  f("barrier", self.barrier, "us", fitted, "5.2: 6.2 us",
    "of software in each of the two phases of a barrier");
  f("match", self.match, "us", fitted, "5.8.1: about 5 us", "of the thread processor to match a tag");
  f("mpi", self.mpi, "us", fitted, "5.8.1: about 5 us", "of MPI's software for a send or a receive");
  f("copy-rate", self.copy_rate, "MB/s", fitted, "5.8.2: 50 % lower", "of a host that copies memory");
  f("inline", self.inline_bytes, "bytes", assumed, "one packet",
    "a Tports message up to this travels with its envelope, a longer one is fetched");
  f("eager", self.eager, "KB", assumed, "a usual limit of MPICH",
    "MPI messages up to this are asynchronous, longer ones synchronous");
}

}  // namespace banyan::qsnet
