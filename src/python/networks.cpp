// The network that is advanced by time, for Python. It holds numbers only: what was sent, scheduled and to be
// called stands in python/banyan, where the interpreter sees what refers to what.
#include <optional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "library/flow_network.hpp"
#include "python/parts.hpp"
#include "python/unlocked.hpp"

namespace banyan::python {
namespace {

class PythonNetwork {
 public:
  PythonNetwork(const RoutingPtr& routing, const Texts& options)
      : network_(routing, network_options(*routing, options),
                 [this](const FlowNetwork::Arrival& arrival) { on_arrival(arrival); }) {}

  void send(u32 from, u32 to, u64 bytes, u64 tag, double weight) {
    mine().send(from, to, bytes, tag, weight);
  }
  void schedule(double time, u64 number) {
    mine().at(time, [this, number] {
      const py::gil_scoped_acquire lock;
      (*due_)(number);
    });
  }
  void stop() { mine().stop(); }
  double now() { return mine().now(); }
  double next() { return mine().next(); }
  u64 under_way() { return mine().under_way(); }

  // Calls due(number) for what was scheduled. Where `arrived` is None, arrivals are kept for take(); else it
  // is called for each.
  void advance(double until, const py::object& due, const py::object& arrived) {
    FlowNetwork& network = mine();
    if (user_) return network.advance(until);  // called by what it calls: refused
    due_ = &due;
    arrived_ = arrived.is_none() ? nullptr : &arrived;
    user_ = std::this_thread::get_id();
    const struct Reset {
      std::optional<std::thread::id>& user;
      ~Reset() { user.reset(); }
    } reset{user_};
    unlocked([&] { network.advance(until); });
  }
  // Those that have arrived since the last call.
  py::list take() {
    mine();
    py::list out;
    for (const FlowNetwork::Arrival& arrival : kept_) out.append(tuple_of(arrival));
    kept_.clear();
    return out;
  }

 private:
  // While it is advanced, without the interpreter's lock, it belongs to that thread.
  FlowNetwork& mine() {
    if (user_ && *user_ != std::this_thread::get_id())
      throw InputError("the network is being advanced by another thread");
    return network_;
  }
  static py::tuple tuple_of(const FlowNetwork::Arrival& a) {
    return py::make_tuple(a.tag, a.from, a.to, a.bytes, a.sent, a.time);
  }
  void on_arrival(const FlowNetwork::Arrival& arrival) {
    if (!arrived_) {
      kept_.push_back(arrival);
      return;
    }
    const py::gil_scoped_acquire lock;
    (*arrived_)(tuple_of(arrival));
  }

  FlowNetwork network_;
  std::vector<FlowNetwork::Arrival> kept_;
  const py::object* due_ = nullptr;  // while it is advanced
  const py::object* arrived_ = nullptr;
  std::optional<std::thread::id> user_;  // under the lock
};

}  // namespace

void add_networks(py::module_& module) {
  py::class_<PythonNetwork>(module, "Network")
      .def(py::init([](const std::shared_ptr<OpenRouting>& routing, const py::dict& options) {
        return std::make_unique<PythonNetwork>(routing, texts_of(options));
      }))
      .def("send", &PythonNetwork::send)
      .def("schedule", &PythonNetwork::schedule)
      .def("stop", &PythonNetwork::stop)
      .def("advance", &PythonNetwork::advance)
      .def("take", &PythonNetwork::take)
      .def_property_readonly("now", &PythonNetwork::now)
      .def_property_readonly("next", &PythonNetwork::next)
      .def_property_readonly("under_way", &PythonNetwork::under_way);
  module.def("network_options", [] { return infos_of(option_infos<FlowNetworkOptions>()); });
}

}  // namespace banyan::python
