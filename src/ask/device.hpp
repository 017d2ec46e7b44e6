// Where an answer is computed. Answers do not depend on it, bit by bit.
#pragma once
#include <array>
#include <string_view>

#include "base/types.hpp"

namespace banyan::ask {

enum class DeviceChoice : u8 { cpu, gpu, automatic };
constexpr std::array<std::string_view, 3> option_names(DeviceChoice) { return {"cpu", "gpu", "auto"}; }

struct DeviceOptions {
  DeviceChoice device = DeviceChoice::automatic;

  static void fields(auto& self, auto&& f) {
    f("device", self.device,
      "cpu, gpu, or auto: the GPU where there is one, it can do this, and it is worth its start; results are "
      "the same");
  }
};

}  // namespace banyan::ask
