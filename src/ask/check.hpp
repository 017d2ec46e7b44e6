// Whether a routing is right: for all pairs, whether packets arrive, loop, take detours or wait in a circle;
// or how many flows share a channel over all shifts at once.
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

Verdict verdict(const Situation& at, const NoOptions&);

// The verdict, and where messages choose among addresses what comes of that.
struct CheckAnswer {
  Verdict verdict{};
  std::optional<ChoiceReport> choice{};

  static void fields(auto& self, auto&& f) {
    Verdict::fields(self.verdict, f);
    f("choice", self.choice, "", "among addresses: which messages take shortest paths and which longer ones");
  }
};
CheckAnswer check(const Situation& at);

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
    f("shift_contention_free", v.contention_free(), "", "no shift loads a channel with more than one flow");
    f("worst_shift", v.worst_shift, "", "one with the highest load; 0: nothing arrives in any");
    f("worst_shift_load", v.load(), "flows", "the highest load of a channel in any shift");
    f("pairs", v.pairs, "", "of different NICs on a rail");
    f("left_out_pairs", v.left_out, "", "of these, have a way that does not arrive");
    f("worst_channel", or_null(self.worst_channel), "", "one with that load");
    f("worst_channel_flows", v.flows.size(), "flows", "on it in the worst shift");
    f("flows", self.flows, "", "the first of them");
  }
};
// Not applicable where packets choose on the way.
struct ShiftsOptions : ShiftOptions {
  static void fields(auto&, auto&&) {}
};
Result<ShiftsAnswer> shifts(const Situation& at, const ShiftsOptions& options);

}  // namespace banyan::ask
