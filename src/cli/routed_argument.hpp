// FABRIC and --without, and how it is routed: --engine, --paths and --seed, or --tables.
#pragma once
#include <optional>
#include <string>

#include "ask/fabric_router.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"

namespace banyan::cli {

struct RoutedArgument {
  FabricArgument fabric;
  OptionsArgument<ask::RoutingOptions> routing;

  void declare(Arguments& arguments);
  ask::RoutingOptions options() const { return routing.read(); }
  u64 seed() const { return options().seed; }  // of traffic, placement and simulation

  // With all remarks on standard error.
  ask::RoutedFabric open() const { return open(options()); }
  ask::RoutedFabric open(const ask::RoutingOptions& options) const;
};

// Says why on standard error.
Exit refuse(const NotApplicable& reason);
template <class T>
std::optional<Exit> refused(const std::variant<T, NotApplicable>& result) {
  const auto* reason = std::get_if<NotApplicable>(&result);
  return reason ? std::optional(refuse(*reason)) : std::nullopt;
}

}  // namespace banyan::cli
