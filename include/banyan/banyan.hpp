// Banyan for C++17 and later: values over the handles of banyan.h. Header only, so that the library's binary interface
// is that of C, whatever compiler built either side.
//
//   const banyan::Fabric fabric("4-ary 3-tree");
//   const banyan::Routing routing(fabric, "dmodk");
//   if (!routing.check().truth("yes")) return 1;
//   std::cout << routing.load("permutation", {{"samples", "1000"}}).number("max_load") << '\n';
//
// Fabric, Routing and Answer are cheap to copy, never change, and may be used by several threads. Failures throw Error.
#ifndef BANYAN_HPP
#define BANYAN_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "banyan.h"

namespace banyan {

// What went wrong. InputError: what was given is wrong. NotApplicable: an engine or a question cannot do this.
struct Error : std::runtime_error {
  Error(banyan_status status_, const char* why) : std::runtime_error(why), status(status_) {}
  banyan_status status;
};
struct InputError : Error {
  using Error::Error;
};
struct NotApplicable : Error {
  using Error::Error;
};

inline void check_status(banyan_status status) {
  if (status == BANYAN_OK) return;
  if (status == BANYAN_INPUT_ERROR) throw InputError(status, banyan_error());
  if (status == BANYAN_NOT_APPLICABLE) throw NotApplicable(status, banyan_error());
  throw Error(status, banyan_error());
}

// Names and values, as the program's options are written: {{"samples", "1000"}, {"seed", "7"}}.
class Options {
 public:
  Options() = default;
  Options(std::initializer_list<std::pair<const char*, std::string>> list) {
    for (const auto& [key, value] : list) texts_.push_back(key), texts_.push_back(value);
  }
  std::vector<const char*> pointers() const {
    std::vector<const char*> out;
    for (const std::string& text : texts_) out.push_back(text.c_str());
    out.push_back(nullptr);
    return out;
  }

 private:
  std::vector<std::string> texts_;
};

// An array of an answer, which it keeps.
template <class T>
struct Array {
  const T* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<const void> owner{};
  const T* begin() const { return data; }
  const T* end() const { return data + size; }
  const T& operator[](std::size_t i) const { return data[i]; }
};

// Fields by the names of the program's JSON. Throws InputError for a name that it does not have; names with dots reach
// into tables: "hottest.0.load".
class Answer {
 public:
  explicit Answer(banyan_answer* handle) : handle_(handle, banyan_answer_free) {}

  double number(const char* name) const {  // NaN: it is not known
    double out = 0;
    check_status(banyan_answer_number(handle_.get(), name, &out));
    return out;
  }
  bool truth(const char* name) const { return number(name) != 0; }
  std::string text(const char* name) const {
    const char* out = nullptr;
    check_status(banyan_answer_text(handle_.get(), name, &out));
    return out;
  }
  Array<double> numbers(const char* name) const { return array<double>(name, BANYAN_FLOAT64); }
  Array<std::uint32_t> integers(const char* name) const { return array<std::uint32_t>(name, BANYAN_UINT32); }
  std::string json() const {
    const char* out = nullptr;
    check_status(banyan_answer_json(handle_.get(), &out));
    return out;
  }

 private:
  template <class T>
  Array<T> array(const char* name, banyan_type wanted) const {
    banyan_type type{};
    const void* data = nullptr;
    std::size_t count = 0;
    check_status(banyan_answer_array(handle_.get(), name, &type, &data, &count));
    if (type != wanted) throw InputError(BANYAN_INPUT_ERROR, (std::string(name) + " has numbers of another type").c_str());
    return {static_cast<const T*>(data), count, handle_};
  }

  std::shared_ptr<banyan_answer> handle_;
};

// A notation such as "4-ary 3-tree" or a file, less the cables that `without` takes away.
class Fabric {
 public:
  explicit Fabric(const std::string& text, const std::vector<std::string>& without = {}) {
    std::vector<const char*> faults;
    for (const std::string& fault : without) faults.push_back(fault.c_str());
    faults.push_back(nullptr);
    banyan_fabric* out = nullptr;
    check_status(banyan_fabric_open(text.c_str(), faults.data(), &out));
    hold(out);
  }
  // Nodes 0 to hosts - 1 are hosts; a cable joins two nodes, each at its next free port.
  Fabric(std::uint32_t hosts, std::uint32_t switches, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cables) {
    std::vector<std::uint32_t> from, to;
    for (const auto& [a, b] : cables) from.push_back(a), to.push_back(b);
    banyan_fabric* out = nullptr;
    check_status(banyan_fabric_from_cables(hosts, switches, cables.size(), from.data(), to.data(), &out));
    hold(out);
  }

  std::uint32_t hosts() const { return arrays_.hosts; }
  std::uint32_t switches() const { return arrays_.switches; }
  const banyan_fabric_arrays& arrays() const { return arrays_; }
  std::string name(std::uint32_t node) const {
    std::size_t length = 0;
    check_status(banyan_fabric_name(handle(), node, nullptr, 0, &length));
    std::string out(length + 1, '\0');
    check_status(banyan_fabric_name(handle(), node, out.data(), out.size(), nullptr));
    out.pop_back();
    return out;
  }
  Answer describe(const Options& options = {}) const { return ask("describe", options); }
  Answer diff(const Fabric& observed) const {  // this is the plan
    banyan_answer* out = nullptr;
    check_status(banyan_diff(handle(), observed.handle(), &out));
    return Answer(out);
  }
  Answer ask(const char* question, const Options& options = {}) const {  // "fail", "assign", "draw" ...
    banyan_answer* out = nullptr;
    check_status(banyan_ask(question, handle(), nullptr, options.pointers().data(), &out));
    return Answer(out);
  }
  struct Nic {
    std::uint32_t host, slot, rail;  // rail: UINT32_MAX for none
  };
  Nic nic(std::uint32_t number) const {
    Nic out{};
    check_status(banyan_fabric_nic(handle(), number, &out.host, &out.slot, &out.rail));
    return out;
  }
  const banyan_fabric* handle() const { return handle_.get(); }

 private:
  void hold(banyan_fabric* made) {
    handle_.reset(made, banyan_fabric_free);
    check_status(banyan_fabric_look(made, &arrays_));
  }
  std::shared_ptr<banyan_fabric> handle_;
  banyan_fabric_arrays arrays_{};
};

class Routing {
 public:
  // Throws NotApplicable where the engine cannot route the fabric.
  explicit Routing(const Fabric& fabric, const std::string& engine = "auto", const Options& options = {}) {
    banyan_routing* out = nullptr;
    check_status(banyan_route(fabric.handle(), engine.c_str(), options.pointers().data(), &out));
    handle_.reset(out, banyan_routing_free);
  }
  // By tables: ports[s * NICs + d], counted from 0; 255 for none.
  Routing(const Fabric& fabric, const std::vector<std::uint8_t>& ports) {
    const banyan_fabric_arrays& arrays = fabric.arrays();
    if (ports.size() != std::size_t{arrays.switches} * arrays.nics)
      throw InputError(BANYAN_INPUT_ERROR, "tables have an entry for each switch and NIC");
    banyan_routing* out = nullptr;
    check_status(banyan_route_by_tables(fabric.handle(), ports.data(), nullptr, &out));
    handle_.reset(out, banyan_routing_free);
  }

  Answer check(const Options& options = {}) const { return ask("check", options); }
  Answer load(const std::string& traffic, const Options& options = {}) const {
    banyan_answer* out = nullptr;
    check_status(banyan_load(handle(), traffic.c_str(), options.pointers().data(), &out));
    return Answer(out);
  }
  Answer simulate(const std::string& traffic, const Options& options = {}) const {
    banyan_answer* out = nullptr;
    check_status(banyan_simulate(handle(), traffic.c_str(), options.pointers().data(), &out));
    return Answer(out);
  }
  Answer ask(const char* question, const Options& options = {}) const {  // "path", "time", "order" ...
    banyan_answer* out = nullptr;
    check_status(banyan_ask(question, nullptr, handle(), options.pointers().data(), &out));
    return Answer(out);
  }
  const banyan_routing* handle() const { return handle_.get(); }

 private:
  std::shared_ptr<banyan_routing> handle_;
};

// Messages as flows that share channels max-min fairly, on a clock that the caller advances; in seconds. It belongs to
// one thread at a time. What a callback throws leaves advance() at once; the clock stays at that event, and the next
// call goes on behind it.
class Network {
 public:
  using Arrived = std::function<void(const banyan_arrival&)>;

  Network(const Routing& routing, const Options& options, Arrived arrived) : state_(std::make_unique<State>()) {
    state_->arrived = std::move(arrived);
    banyan_network* out = nullptr;
    check_status(banyan_network_new(routing.handle(), options.pointers().data(), on_arrival, state_.get(), &out));
    state_->handle.reset(out);
  }

  // Where messages share a channel, one of twice the weight gets twice the rate.
  void send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, std::uint64_t tag, double weight = 1) {
    check_status(banyan_network_send_weighted(handle(), from, to, bytes, tag, weight));
  }
  // Calls f at that time.
  void schedule(double time, std::function<void()> f) {
    auto& all = state_->scheduled;
    const auto made = all.insert(all.end(), Scheduled{state_.get(), std::move(f), {}});
    made->self = made;
    const banyan_status status = banyan_network_schedule(handle(), time, on_time, &*made);
    if (status != BANYAN_OK) all.erase(made);
    check_status(status);
  }
  void advance(double until) {
    const banyan_status status = banyan_network_advance(handle(), until);
    if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
    check_status(status);
  }
  double now() const {
    double out = 0;
    check_status(banyan_network_now(handle(), &out));
    return out;
  }
  double next() const {  // when something happens; infinity: nothing will
    double out = 0;
    check_status(banyan_network_next(handle(), &out));
    return out;
  }

 private:
  struct State;
  struct Scheduled {
    State* state;
    std::function<void()> f;
    std::list<Scheduled>::iterator self;
  };
  struct Free {
    void operator()(banyan_network* network) const { banyan_network_free(network); }
  };
  struct State {
    Arrived arrived;
    std::list<Scheduled> scheduled;
    std::exception_ptr thrown;
    std::unique_ptr<banyan_network, Free> handle;
  };
  template <class F>
  static void guarded(State& state, F&& f) {
    try {
      f();
    } catch (...) {  // no exception crosses C
      state.thrown = std::current_exception();
      banyan_network_stop(state.handle.get());
    }
  }
  static void on_arrival(void* context, const banyan_arrival* arrival) {
    State& state = *static_cast<State*>(context);
    guarded(state, [&] { state.arrived(*arrival); });
  }
  static void on_time(void* context) {
    auto* const scheduled = static_cast<Scheduled*>(context);
    State& state = *scheduled->state;
    const std::function<void()> f = std::move(scheduled->f);
    state.scheduled.erase(scheduled->self);
    guarded(state, f);
  }
  banyan_network* handle() const { return state_->handle.get(); }

  std::unique_ptr<State> state_;  // callbacks point to it
};

}  // namespace banyan
#endif
