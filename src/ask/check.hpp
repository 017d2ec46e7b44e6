// Whether a routing is right: for all pairs, whether packets arrive, loop, take detours or wait in a circle;
// or how many flows share a channel over all shifts at once. Where switches hash, all next hops of all groups
// are judged: a yes holds for every hash.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "verify/choice_report.hpp"
#include "verify/judge.hpp"
#include "verify/shifts.hpp"

namespace banyan::ask {

struct JudgedPairs {
  PairScope pairs = PairScope::all;

  static void fields(auto& self, auto&& f) {
    f("pairs", self.pairs,
      "which pairs of NICs are judged: all (of a plane, as in a subnet everything may send to everything) or "
      "rail (only those on one rail: a narrower question)");
  }
};

// Not applicable where switches hash over groups with too many next hops.
Result<Verdict> verdict(const Situation& at, const JudgedPairs& options);

struct CheckModes : JudgedPairs {
  bool shifts = false;

  static void fields(auto& self, auto&& f) {
    f("shifts", self.shifts,
      "decide how many flows share a channel when every host i sends to host i + s, for all s");
    JudgedPairs::fields(self, f);
  }
};

struct CheckOptions : CheckModes {
  FilePath certificate{}, recheck{};

  static void fields(auto& self, auto&& f) {
    CheckModes::fields(self, f);
    f("certificate", self.certificate,
      "write the proof that no packets wait in a cycle: numbers that only rise along routes; with --shifts, "
      "the proof that no channel carries two flows: its sources, and how far apart destinations are");
    f("recheck", self.recheck, "only compare the routes with a certificate that was written before");
  }
};

// Whether a certificate that was written before holds for a routing.
struct CertificateAnswer {
  bool holds = false;

  static void fields(auto& self, auto&& f) {
    f("certificate_holds", self.holds, "", "whether the certificate holds for these routes");
  }
};

// The verdict, and where messages choose among addresses what comes of that.
struct CheckAnswer {
  Verdict verdict{};
  std::optional<ChoiceReport> choice{};
  std::vector<std::string> cut_off{};

  static void fields(auto& self, auto&& f) {
    Verdict::fields(self.verdict, f);
    f("cut_off", self.cut_off, "",
      "NICs that no cables connect to the rest of their plane, in words, a text for each part");
    f("choice", self.choice, "", "among addresses: which messages take shortest paths and which longer ones");
  }
};
Result<CheckAnswer> check(const Situation& at, const JudgedPairs& options = {});
// Whether a certificate that was written before holds for the routing, with all next hops where switches
// hash.
Result<CertificateAnswer> holds(const Situation& at, const Certificate& certificate);

struct ShiftsAnswer {
  struct Flow {
    std::string from{}, to{};
    double share = 0;

    static void fields(auto& self, auto&& f) {
      f("from", self.from, "", "the NIC that sends");
      f("to", self.to, "", "the NIC that receives");
      f("share", self.share, "", "of the flow that goes through the channel");
    }
  };
  ShiftVerdict verdict{};
  std::string worst_channel{};
  std::vector<Flow> flows{};  // the first of them

  static void fields(auto& self, auto&& f) {
    const ShiftVerdict& v = self.verdict;
    f("shift_contention_free", v.contention_free(), "", "no channel has a load above 1 in any shift");
    f("worst_shift", v.worst_shift, "",
      "one of the shifts with the highest load; 0 when no flow arrives in any shift");
    f("worst_shift_load", v.load(), "flows", "the highest load of a channel in any shift, exact");
    f("pairs", v.pairs, "", "ordered pairs of different NICs on one rail");
    f("left_out_pairs", v.left_out, "", "pairs that do not arrive on at least one way");
    f("worst_channel", or_null(self.worst_channel), "",
      "a channel with that load, named by the port through which it leaves");
    f("worst_channel_flows", v.flows.size(), "flows", "flows on that channel in the worst shift");
    f("flows", self.flows, "", "the first 16 of these flows");
  }
};
// Not applicable where packets choose on the way, or switches hash.
struct ShiftsOptions : ShiftOptions {
  static void fields(auto&, auto&&) {}
};
Result<ShiftsAnswer> shifts(const Situation& at, const ShiftsOptions& options);
Result<CertificateAnswer> holds(const Situation& at, const ShiftCertificate& certificate);

}  // namespace banyan::ask
