// Which of the engines that are compiled for a mode and a NIC model fits the options of a machine.
#pragma once
#include "flit/engine.hpp"

namespace banyan::flit {

template <Mode mode, class Nics>
std::unique_ptr<Part> make_part(Machine& machine, u16 number) {
  const bool has_voq = machine.state.options.queueing == Queueing::voq;
  const bool has_queues = !machine.state.queues.empty();
  const bool is_wide = machine.state.layout.words > 1;
  if constexpr (mode != Mode::packets)
    if (machine.state.is_staged) {
      if (has_voq)
        return std::make_unique<Engine<SwitchKind{mode, true, true, true, true}, Nics>>(machine, number);
      return std::make_unique<Engine<SwitchKind{mode, false, true, true, true}, Nics>>(machine, number);
    }
  const auto make = [&]<bool voq, bool queues>() -> std::unique_ptr<Part> {
    if (is_wide) return std::make_unique<Engine<SwitchKind{mode, voq, queues, true}, Nics>>(machine, number);
    return std::make_unique<Engine<SwitchKind{mode, voq, queues, false}, Nics>>(machine, number);
  };
  if (has_voq)
    return has_queues ? make.template operator()<true, true>() : make.template operator()<true, false>();
  return has_queues ? make.template operator()<false, true>() : make.template operator()<false, false>();
}

}  // namespace banyan::flit
