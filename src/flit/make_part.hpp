// Which of the engines that are compiled for a mode fits the options of a machine.
#pragma once
#include "flit/engine.hpp"

namespace banyan::flit {

// The engine for the options of a machine.
template <Mode mode>
std::unique_ptr<Part> make_part(Machine& machine, u16 number) {
  const NetworkOptions& options = machine.state.options;
  const bool has_voq = options.queueing == Queueing::voq;
  const bool has_queues = !machine.state.queues.empty();
  const bool is_wide = machine.state.layout.words > 1;
  const auto make = [&]<bool voq, bool queues>() -> std::unique_ptr<Part> {
    if (is_wide) return std::make_unique<Engine<mode, voq, queues, true>>(machine, number);
    return std::make_unique<Engine<mode, voq, queues, false>>(machine, number);
  };
  if (has_voq)
    return has_queues ? make.template operator()<true, true>() : make.template operator()<true, false>();
  return has_queues ? make.template operator()<false, true>() : make.template operator()<false, false>();
}

}  // namespace banyan::flit
