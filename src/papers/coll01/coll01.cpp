// Coll, Frachtenberg, Petrini, Hoisie, Gurvits: several rails per host. The protocol by exhaustive search,
// Figures 3 to 16 in the simulator.
#include "papers/coll01/coll01.hpp"

namespace banyan::papers {
namespace {

void assume(Reproduction& out, bool quick) {
  out.assume(
      "32, 64, 128 hosts: XGFT(2; 4,8; 1,4), 4-ary 3-tree, XGFT(3; 4,4,8; 1,4,4); one plane a rail; four "
      "processes a host; adaptive minimal routing, as QsNET does; destinations are processes of other hosts");
  out.assume(
      "wormhole, two lanes; a flit of the simulation is 16 bytes, eight of the paper's: buffers of 16 "
      "instead "
      "of 128, a switch and its channel take 8 of the paper's cycles instead of 7; latencies are given in "
      "the "
      "paper's cycles");
  out.assume(
      "packets of 256 bytes; control packets of 32 bytes; a NIC's processor takes 400 cycles, the 2 us of "
      "the "
      "introduction, for each control packet and for the end of a reserved message; a process waits 4000 "
      "cycles for replies");
  out.assume(
      "a bus carries one flit a cycle one way; if both ways want it they alternate every 64 bytes, without "
      "loss; control packets do not cross it");
  out.assume(
      "a process sends one message at a time: it looks for rails for the next when the last flit of this one "
      "has left, as Section 5.4 loads processors with what they send; messages that lose a contest keep the "
      "priority of their first RTS");
  out.assume(
      "each process takes rails in turn for itself (Section 5.4: processors synchronise their choice, which "
      "one "
      "pointer of a host would prevent); a NIC sends two messages at once (Section 4.1: two virtual channels "
      "on "
      "each physical channel). Not taken: a bus that loses time when it turns (80 % in Section 1, of real "
      "chipsets; Section 4.1 calls its own bus optimistic), and processes that go on when their message "
      "begins "
      "(the text has no rule). A table shows all of them, alone and together");
  out.assume("maximum accepted load: the most accepted at loads of 0.3, 0.4 and 0.5");
  out.assume(
      "a point runs until the 95 % confidence intervals of its bandwidth and, below saturation, its latency "
      "are within 2 % of their means (1 % for striping and Figure 8) and less than half of the run was "
      "warm-up, but for 24 million flits at "
      "most");
  out.assume(
      "verdicts are from the intervals of runs; a run of fewer cycles than a NIC needs for ten messages is "
      "not "
      "steady, and decides nothing");
  if (quick)
    out.assume(
        "quick: 32 hosts instead of 128 in all figures but Figure 8, fewer loads, sizes, rails and "
        "thresholds, and 800,000 flits a point at most: messages of 64 KB are few then");
}

void judge_coll01(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  assume(out, options.quick);
  coll01::protocol(out);
  coll01::Figures(out, rows, options.quick).all();
}

}  // namespace

Paper coll01_paper() {
  return {
      "coll01",
      "Coll, Frachtenberg, Petrini, Hoisie, Gurvits: Using Multirail Networks in High-Performance Clusters",
      judge_coll01};
}

}  // namespace banyan::papers
