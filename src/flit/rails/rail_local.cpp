// Rail-local: process i of a host uses NIC i, so that it only ever talks to NICs i of other hosts, as GPUs
// with a NIC each do on rail-optimised fabrics.
#include "flit/rails/policy.hpp"

namespace banyan {
namespace {

void posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  send_from(host, rules, process, process % rules.rails, out);
}

}  // namespace

RailPolicy rail_local_rail_policy() {
  return {"rail-local",
          "process i of a host uses its NIC i",
          "",
          {},
          refuse_options,
          share_all,
          posted,
          nullptr,
          only_count,
          nullptr,
          nullptr};
}

}  // namespace banyan
