// What fails: a fabric before and after faults, and who routes both.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ask/fail.hpp"
#include "ask/was_given.hpp"

namespace banyan::ask {

struct Damage {
  Topology after;
  FabricRouter router;  // `auto` has chosen an engine for what is left
};

// `router` is that of the whole fabric, made from `by`. Cables are drawn in the order in which the fabric was
// read, as every verb draws them. Throws InputError.
Damage damage(const Loaded& before, FabricRouter router, const std::vector<std::string>& without,
              const RoutingOptions& by, const FailOptions& options);

// Throws InputError where what was given contradicts itself. `fails`: something is taken away, or compared.
// `others`: what else the caller offers, in the words of the refusal.
void refuse_contradictions(const FailOptions& options, bool fails, const WasGiven& given,
                           std::string_view others = "");

}  // namespace banyan::ask
