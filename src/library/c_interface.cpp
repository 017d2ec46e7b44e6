// The C interface: include/banyan/banyan.h. Every function runs within guarded(), which turns exceptions into
// a status and a text.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#include <banyan/banyan.h>
#include "base/progress.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "library/flow_network.hpp"
#include "library/given.hpp"
#include "library/handles.hpp"
#include "library/questions.hpp"

namespace library = banyan::library;
using banyan::base::InputError;

struct banyan_fabric {
  library::FabricPtr held;
  std::vector<uint32_t> first_channel{}, channel_to{};
};
struct banyan_routing {
  library::RoutingPtr held;
};
struct banyan_answer {
  explicit banyan_answer(library::AnswerView seen) : view(std::move(seen)) {}
  library::AnswerView view;
  // Texts and arrays that were asked for; a map's nodes stay where they are.
  mutable std::mutex mutex{};
  mutable std::map<std::string, std::string, std::less<>> texts{};
  mutable std::map<std::string, library::Numbers, std::less<>> arrays{};
};
struct banyan_network {
  banyan_network(library::RoutingPtr routing, const library::FlowNetworkOptions& options,
                 library::FlowNetwork::Arrived arrived)
      : held(std::move(routing), options, std::move(arrived)) {}
  library::FlowNetwork held;
};

namespace banyan::library {
namespace {

thread_local std::string last_error;

banyan_status failed(banyan_status status, std::string_view why) noexcept {
  try {
    last_error = why;
  } catch (...) {
    last_error.clear();
  }
  return status;
}

// f is given the name of the function that the caller called.
template <class F>
banyan_status guarded(const char* function, F&& f) noexcept {
  try {
    f(function);
    return BANYAN_OK;
  } catch (const Refused& refused) {
    return failed(BANYAN_NOT_APPLICABLE, without_dashes(refused.what()));
  } catch (const InputError& error) {
    return failed(BANYAN_INPUT_ERROR, without_dashes(error.what()));
  } catch (const Interrupted& interrupted) {
    return failed(BANYAN_INTERRUPTED, interrupted.what());
  } catch (const std::bad_alloc&) {
    return failed(BANYAN_OUT_OF_MEMORY, "not enough memory for this");
  } catch (const std::length_error&) {  // of a vector
    return failed(BANYAN_OUT_OF_MEMORY, "not enough memory for this");
  } catch (const std::exception& error) {
    return failed(BANYAN_FAILED, error.what());
  } catch (...) {
    return failed(BANYAN_FAILED, "an exception of an unknown type");
  }
}

#ifdef NDEBUG
constexpr bool handles_are_checked = false;
#else
constexpr bool handles_are_checked = true;
#endif

Handles& handles() {
  static Handles all;
  return all;
}

template <class H>
constexpr Handles::Kind kind_of = std::is_same_v<H, banyan_fabric>    ? Handles::Kind::fabric
                                  : std::is_same_v<H, banyan_routing> ? Handles::Kind::routing
                                  : std::is_same_v<H, banyan_answer>  ? Handles::Kind::answer
                                                                      : Handles::Kind::network;

// What a handle or any other pointer that must not be null points to.
template <class H>
H& used(H* handle, const char* function) {
  if (!handle) throw InputError(fmt::format("{}: an argument is NULL that must not be", function));
  if constexpr (handles_are_checked && !std::is_arithmetic_v<H> && requires { handle->held; })
    handles().demand(handle, kind_of<std::remove_const_t<H>>, function);
  if constexpr (handles_are_checked && std::is_same_v<std::remove_const_t<H>, banyan_answer>)
    handles().demand(handle, Handles::Kind::answer, function);
  return *handle;
}

template <class H>
void give(H** out, std::unique_ptr<H> made) {
  if (handles_are_checked) handles().add(made.get(), kind_of<H>);
  *out = made.release();
}

template <class H>
void free_handle(H* handle, const char* function) {
  if (!handle) return;
  if (handles_are_checked) {
    handles().demand(handle, kind_of<H>, function);
    handles().remove(handle);
  }
  delete handle;
}

std::vector<std::string> list_of(const char* const* texts) {
  std::vector<std::string> out;
  for (; texts && *texts; ++texts) out.emplace_back(*texts);
  return out;
}

Texts pairs_of(const char* const* options) {
  const std::vector<std::string> all = list_of(options);
  if (all.size() % 2)
    throw InputError(fmt::format("option '{}' has no value: expected pairs of texts", all.back()));
  Texts out;
  for (std::size_t i = 0; i < all.size(); i += 2) out.emplace_back(all[i], all[i + 1]);
  return out;
}

void answer_to(std::string_view question, Asked asked, banyan_answer** out, const char* function) {
  used(out, function);
  give(out, std::make_unique<banyan_answer>(ask(question, std::move(asked))));
}

// The value that a name with dots leads to.
Value value_at(const AnswerView& answer, std::string_view name) {
  Value out{answer};
  for (const std::string_view part : split(name, '.')) {
    if (const auto* inner = std::get_if<AnswerView>(&out.content)) {
      const AnswerView at = *inner;
      auto found = at.find(part);
      if (!found) refuse_field(at, part);
      out = std::move(*found);
    } else if (const auto* rows = std::get_if<std::vector<Value>>(&out.content)) {
      const auto number = parse_unsigned(part);
      if (!number || *number >= rows->size())
        throw InputError(fmt::format("'{}': there is no entry '{}', there are {}", name, part, rows->size()));
      out = Value((*rows)[*number]);
    } else {
      throw InputError(fmt::format("'{}': there is nothing behind '{}', which is no answer and no table",
                                   name,
                                   name.substr(0, static_cast<std::size_t>(part.data() - name.data() - 1))));
    }
  }
  return out;
}

[[noreturn]] void refuse_type(const char* name, const char* wanted) {
  throw InputError(fmt::format("'{}' is no {}", name, wanted));
}

double number_in(const Value& value, const char* name) {
  if (const auto* number = std::get_if<double>(&value.content)) return *number;
  if (const auto* number = std::get_if<u64>(&value.content)) return static_cast<double>(*number);
  if (const auto* truth = std::get_if<bool>(&value.content)) return *truth ? 1 : 0;
  if (std::holds_alternative<std::monostate>(value.content)) return std::numeric_limits<double>::quiet_NaN();
  refuse_type(name, "number");
}

template <class Make>
const char* kept_text(const banyan_answer& answer, const std::string& key, Make&& make) {
  const std::lock_guard lock(answer.mutex);
  const auto found = answer.texts.find(key);
  return (found != answer.texts.end() ? found : answer.texts.emplace(key, make()).first)->second.c_str();
}

// What it points to stays as long as the answer, whoever owns it.
const Numbers& kept_array(const banyan_answer& answer, const std::string& name, const Numbers& found) {
  const std::lock_guard lock(answer.mutex);
  return answer.arrays.emplace(name, found).first->second;
}

}  // namespace
}  // namespace banyan::library

using namespace banyan::library;  // NOLINT: this file is its other face

const char* banyan_version() {
  static const std::string text(banyan::base::version());
  return text.c_str();
}
const char* banyan_error() { return last_error.c_str(); }
void banyan_interrupt() { banyan::base::set_interrupted(true); }
void banyan_resume() { banyan::base::set_interrupted(false); }

namespace {

std::unique_ptr<banyan_fabric> as_handle(FabricPtr held) {
  auto out = std::make_unique<banyan_fabric>(banyan_fabric{std::move(held)});
  const auto& fabric = out->held->loaded.topology.fabric;
  out->first_channel.push_back(0);
  for (const auto node : fabric.nodes())
    out->first_channel.push_back(out->first_channel.back() + fabric.ports(node));
  for (const auto channel : fabric.channels())
    out->channel_to.push_back(banyan::base::index(fabric.to(channel)));
  return out;
}

}  // namespace

banyan_status banyan_fabric_open(const char* text, const char* const* without, banyan_fabric** fabric) {
  return guarded(__func__, [&](const char* me) {
    used(fabric, me);
    give(fabric, as_handle(library::open(&used(text, me), list_of(without))));
  });
}

banyan_status banyan_fabric_from_cables(uint32_t hosts, uint32_t switches, size_t cables,
                                        const uint32_t* from, const uint32_t* to, banyan_fabric** fabric) {
  return guarded(__func__, [&](const char* me) {
    used(fabric, me);
    Cabling cabling{.hosts = hosts, .switches = switches, .names = {}, .cables = {}};
    if (cables > 0) used(from, me), used(to, me);
    for (size_t i = 0; i < cables; ++i) cabling.cables.push_back({{from[i]}, {to[i]}});
    give(fabric, as_handle(library::open(cabling)));
  });
}

void banyan_fabric_free(banyan_fabric* fabric) { free_handle(fabric, __func__); }

banyan_status banyan_fabric_look(const banyan_fabric* fabric, banyan_fabric_arrays* arrays) {
  return guarded(__func__, [&](const char* me) {
    const auto& seen = used(fabric, me).held->loaded.topology.fabric;
    used(arrays, me) = {seen.hosts(),
                        seen.columns(),
                        seen.nics(),
                        seen.switches(),
                        seen.nics() + seen.switches(),
                        seen.links(),
                        static_cast<uint32_t>(fabric->channel_to.size()),
                        fabric->first_channel.data(),
                        fabric->channel_to.data()};
  });
}

banyan_status banyan_fabric_nic(const banyan_fabric* fabric, uint32_t nic, uint32_t* host, uint32_t* slot,
                                uint32_t* rail) {
  return guarded(__func__, [&](const char* me) {
    const auto& seen = used(fabric, me).held->loaded.topology.fabric;
    if (nic >= seen.nics()) throw InputError(fmt::format("there is no NIC {}", nic));
    const banyan::fabric::Nic at{nic};
    if (host) *host = banyan::base::index(seen.host(at));
    if (slot) *slot = seen.slot(at);
    if (rail) *rail = seen.rail(at).value_or(UINT32_MAX);
  });
}

banyan_status banyan_fabric_name(const banyan_fabric* fabric, uint32_t node, char* name, size_t size,
                                 size_t* length) {
  return guarded(__func__, [&](const char* me) {
    const auto& seen = used(fabric, me).held->loaded.topology.fabric;
    if (node >= seen.nodes().size()) throw InputError(fmt::format("there is no node {}", node));
    const std::string text = seen.name(banyan::fabric::Node{node});
    if (length) *length = text.size();
    if (size == 0) return;
    const size_t copied = std::min(size - 1, text.size());
    std::memcpy(&used(name, me), text.data(), copied);
    name[copied] = '\0';
  });
}

banyan_status banyan_route(const banyan_fabric* fabric, const char* engine, const char* const* options,
                           banyan_routing** routing) {
  return guarded(__func__, [&](const char* me) {
    used(routing, me);
    Texts all = pairs_of(options);
    if (engine) all.emplace_back("engine", engine);
    give(routing, std::make_unique<banyan_routing>(banyan_routing{route(used(fabric, me).held, all)}));
  });
}

banyan_status banyan_route_by_tables(const banyan_fabric* fabric, const uint8_t* ports, const uint8_t* lanes,
                                     banyan_routing** routing) {
  return guarded(__func__, [&](const char* me) {
    used(routing, me);
    const FabricPtr& held = used(fabric, me).held;
    const auto& seen = held->loaded.topology.fabric;
    const size_t nics = seen.nics(), entries = nics * seen.switches();
    if (entries > 0) used(ports, me);
    give(routing, std::make_unique<banyan_routing>(banyan_routing{
                      route(held, "tables", {ports, entries}, {lanes, lanes ? nics * nics : 0})}));
  });
}

void banyan_routing_free(banyan_routing* routing) { free_handle(routing, __func__); }

banyan_status banyan_ask(const char* question, const banyan_fabric* fabric, const banyan_routing* routing,
                         const char* const* options, banyan_answer** answer) {
  return guarded(__func__, [&](const char* me) {
    Asked asked;
    if (fabric) asked.fabric = used(fabric, me).held;
    if (routing) asked.routing = used(routing, me).held;
    asked.options = pairs_of(options);
    answer_to(&used(question, me), std::move(asked), answer, me);
  });
}

banyan_status banyan_diff(const banyan_fabric* plan, const banyan_fabric* observed, banyan_answer** answer) {
  return guarded(__func__, [&](const char* me) {
    answer_to("diff", {.fabric = used(plan, me).held, .other = used(observed, me).held}, answer, me);
  });
}

namespace {

void ask_routing(std::string_view question, const banyan_routing* routing, const char* traffic,
                 const char* const* options, banyan_answer** answer, const char* function) {
  Asked asked;
  asked.routing = used(routing, function).held;
  asked.options = pairs_of(options);
  if (traffic) asked.options.emplace_back("traffic", traffic);
  answer_to(question, std::move(asked), answer, function);
}

}  // namespace

banyan_status banyan_check(const banyan_routing* routing, const char* const* options,
                           banyan_answer** answer) {
  return guarded(__func__,
                 [&](const char* me) { ask_routing("check", routing, nullptr, options, answer, me); });
}
banyan_status banyan_load(const banyan_routing* routing, const char* traffic, const char* const* options,
                          banyan_answer** answer) {
  return guarded(__func__,
                 [&](const char* me) { ask_routing("load", routing, traffic, options, answer, me); });
}
banyan_status banyan_simulate(const banyan_routing* routing, const char* traffic, const char* const* options,
                              banyan_answer** answer) {
  return guarded(__func__,
                 [&](const char* me) { ask_routing("simulate", routing, traffic, options, answer, me); });
}

void banyan_answer_free(banyan_answer* answer) { free_handle(answer, __func__); }

banyan_status banyan_answer_number(const banyan_answer* answer, const char* name, double* value) {
  return guarded(__func__, [&](const char* me) {
    const AnswerView& view = used(answer, me).view;
    used(value, me) = number_in(value_at(view, &used(name, me)), name);
  });
}

banyan_status banyan_answer_text(const banyan_answer* answer, const char* name, const char** text) {
  return guarded(__func__, [&](const char* me) {
    const Value value = value_at(used(answer, me).view, &used(name, me));
    const auto* found = std::get_if<std::string>(&value.content);
    if (!found) refuse_type(name, "text");
    used(text, me) = kept_text(*answer, name, [&] { return *found; });
  });
}

banyan_status banyan_answer_array(const banyan_answer* answer, const char* name, banyan_type* type,
                                  const void** data, size_t* count) {
  return guarded(__func__, [&](const char* me) {
    const Value value = value_at(used(answer, me).view, &used(name, me));
    const auto* found = std::get_if<Numbers>(&value.content);
    if (!found) refuse_type(name, "array of numbers");
    used(type, me) = static_cast<banyan_type>(found->data.index());
    std::visit([&](const auto& span) { used(data, me) = span.data(), used(count, me) = span.size(); },
               kept_array(*answer, name, *found).data);
  });
}

banyan_status banyan_answer_json(const banyan_answer* answer, const char** json) {
  return guarded(__func__, [&](const char* me) {
    const AnswerView& view = used(answer, me).view;
    used(json, me) = kept_text(*answer, "", [&] { return view.json(); });
  });
}

banyan_status banyan_network_new(const banyan_routing* routing, const char* const* options,
                                 banyan_on_arrival on_arrival, void* context, banyan_network** network) {
  return guarded(__func__, [&](const char* me) {
    used(network, me);
    const FlowNetworkOptions by = network_options(*used(routing, me).held, pairs_of(options));
    const auto arrived = [on_arrival, context](const FlowNetwork::Arrival& a) {
      const banyan_arrival arrival{a.tag, a.bytes, a.from, a.to, a.sent, a.time};
      if (on_arrival) on_arrival(context, &arrival);
    };
    give(network, std::make_unique<banyan_network>(used(routing, me).held, by, arrived));
  });
}

void banyan_network_free(banyan_network* network) { free_handle(network, __func__); }

banyan_status banyan_network_send(banyan_network* network, uint32_t from, uint32_t to, uint64_t bytes,
                                  uint64_t tag) {
  return guarded(__func__, [&](const char* me) { used(network, me).held.send(from, to, bytes, tag); });
}
banyan_status banyan_network_send_weighted(banyan_network* network, uint32_t from, uint32_t to,
                                           uint64_t bytes, uint64_t tag, double weight) {
  return guarded(__func__,
                 [&](const char* me) { used(network, me).held.send(from, to, bytes, tag, weight); });
}
banyan_status banyan_network_schedule(banyan_network* network, double time, banyan_on_time on_time,
                                      void* context) {
  return guarded(__func__, [&](const char* me) {
    if (!on_time) throw InputError("banyan_network_schedule: there is no function to call");
    used(network, me).held.at(time, [on_time, context] { on_time(context); });
  });
}
banyan_status banyan_network_stop(banyan_network* network) {
  return guarded(__func__, [&](const char* me) { used(network, me).held.stop(); });
}
banyan_status banyan_network_advance(banyan_network* network, double until) {
  return guarded(__func__, [&](const char* me) { used(network, me).held.advance(until); });
}
banyan_status banyan_network_now(const banyan_network* network, double* now) {
  return guarded(__func__, [&](const char* me) { used(now, me) = used(network, me).held.now(); });
}
banyan_status banyan_network_next(banyan_network* network, double* time) {
  return guarded(__func__, [&](const char* me) { used(time, me) = used(network, me).held.next(); });
}
