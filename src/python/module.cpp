// banyan._banyan: the module behind `import banyan`. It knows fabrics, routings and answers whatever their
// type; the classes, names and documentation are made in python/banyan from what it lists.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <csignal>
#include <mutex>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/seconds.hpp"
#include "base/version.hpp"
#include "engines/engine.hpp"
#include "fabric/names.hpp"
#include "formats/open.hpp"
#include "library/given.hpp"
#include "library/questions.hpp"
#include "topology/distances.hpp"
#include "topology/family.hpp"
#include "traffic/pattern.hpp"

namespace py = pybind11;

namespace banyan::python {

using namespace library;

// --- values and answers
// ------------------------------------------------------------------------------------------

// What makes the Python object of an answer: banyan._wrap(name, answer). Never destroyed: the interpreter may
// be gone.
py::object& wrap() {
  static auto* all = new py::object;
  return *all;
}

py::object object_of(const Value& value);

py::object object_of(const AnswerView& answer) { return wrap()(answer.name(), py::cast(answer)); }

// The numbers themselves; the array keeps them alive, and does not let them be changed.
py::object array_of(const Numbers& numbers) {
  return std::visit(
      [&]<class T>(std::span<const T> span) -> py::object {
        auto* owner = new std::shared_ptr<const void>(numbers.owner);
        py::capsule base(owner, [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); });
        py::array_t<T> out(static_cast<py::ssize_t>(span.size()), span.data(), base);
        out.attr("setflags")(py::arg("write") = false);
        return out;
      },
      numbers.data);
}

py::object object_of(const Value& value) {
  return std::visit(
      []<class T>(const T& content) -> py::object {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return py::none();
        } else if constexpr (std::is_same_v<T, Numbers>) {
          return array_of(content);
        } else if constexpr (std::is_same_v<T, AnswerView>) {
          return object_of(content);
        } else if constexpr (std::is_same_v<T, std::vector<Value>>) {
          py::list out;
          for (const Value& each : content) out.append(object_of(each));
          return out;
        } else {
          return py::cast(content);
        }
      },
      value.content);
}

// As JSON has it: dictionaries, lists, and None for what is not known.
py::object plain(const Value& value);
py::dict plain(const AnswerView& answer) {
  py::dict out;
  answer.each([&](std::string_view name, const Value& value) {
    out[py::str(name.data(), name.size())] = plain(value);
  });
  return out;
}
template <class T>
py::object plain_number(T number) {
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(number)) return py::none();
  return py::cast(number);
}
py::object plain(const Value& value) {
  return std::visit(
      []<class T>(const T& content) -> py::object {
        if constexpr (std::is_same_v<T, Numbers>) {
          py::list out;
          std::visit(
              [&](const auto& span) {
                for (const auto number : span) out.append(plain_number(number));
              },
              content.data);
          return out;
        } else if constexpr (std::is_same_v<T, AnswerView>) {
          return plain(content);
        } else if constexpr (std::is_same_v<T, std::vector<Value>>) {
          py::list out;
          for (const Value& each : content) out.append(plain(each));
          return out;
        } else {
          return object_of(Value{content});
        }
      },
      value.content);
}

py::list infos_of(const std::vector<FieldInfo>& fields) {
  py::list out;
  for (const FieldInfo& field : fields) {
    py::dict info;
    info["name"] = field.name;
    info["type"] = std::string(field.type);
    info["unit"] = field.unit;
    info["meaning"] = field.meaning;
    info["items"] = std::string(field.items);
    info["dimensions"] = field.dimensions;
    info["may_be_null"] = field.may_be_null;
    info["is_optional"] = field.is_optional;
    info["choices"] = field.choices;
    out.append(info);
  }
  return out;
}

py::list infos_of(const std::vector<OptionInfo>& options) {
  py::list out;
  for (const OptionInfo& option : options) {
    py::dict info;
    info["name"] = option.key;
    info["type"] = std::string(option.type);
    info["default"] = option.default_value;
    info["meaning"] = option.meaning;
    info["choices"] = option.choices;
    out.append(info);
  }
  return out;
}

// --- Ctrl-C
// ----------------------------------------------------------------------------------------------------------

struct sigaction python_action;  // what Python does at SIGINT: it notes it

extern "C" void on_python_interrupt(int number) {
  base::set_interrupted(true);
  if (!(python_action.sa_flags & SA_SIGINFO) && python_action.sa_handler != SIG_DFL &&
      python_action.sa_handler != SIG_IGN)
    python_action.sa_handler(number);
}

// While this is there, in Python's main thread, Ctrl-C also stops the library's loops. Made and destroyed
// with the lock of the interpreter held.
class Interruptible {
 public:
  explicit Interruptible(unsigned long main_thread)
      : is_outermost_(PyThread_get_thread_ident() == main_thread && !is_there) {
    if (!is_outermost_) return;
    is_there = true;
    sigaction(SIGINT, nullptr, &python_action);
    if (python_action.sa_handler == SIG_IGN) return;  // as nohup has it
    struct sigaction action = {};
    action.sa_handler = on_python_interrupt;
    sigaction(SIGINT, &action, nullptr);
  }
  ~Interruptible() {
    if (!is_outermost_) return;
    is_there = false;
    sigaction(SIGINT, &python_action, nullptr);
    if (base::interrupted()) base::set_interrupted(false);
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  static inline bool is_there = false;  // in the main thread
  bool is_outermost_;
};
unsigned long main_thread = 0;

// Runs it without the interpreter's lock. The translator makes KeyboardInterrupt from Interrupted.
template <class F>
auto unlocked(F&& f) {
  const Interruptible interruptible(main_thread);
  const py::gil_scoped_release released;
  return f();
}

// --- traffic that is a Python function
// --------------------------------------------------------------------------------

// Its job calls the function from any thread, with the lock. What the function raises is kept, and raised
// again by the call that asked.
class PythonTraffic {
 public:
  PythonTraffic(py::function f, const OpenFabric& fabric, u32 ranks, u64 rounds, bool is_random,
                bool in_bytes, const std::string& placement, u64 seed)
      : state_(std::make_shared<State>()) {
    state_->function = std::move(f);
    const Fabric& at = fabric.loaded.topology.fabric;
    const u32 count = ranks > 0 ? ranks : at.hosts();
    Traffic traffic{.ranks = count, .list = {}};
    traffic.list = [state = state_, count](u64 drawn, u64 sample, u64 round, std::vector<Demand>& out) {
      list(*state, count, drawn, sample, round, out);
    };
    traffic.rounds = rounds;
    traffic.is_random = is_random;
    traffic.in_bytes = in_bytes;
    job_ = std::make_shared<const Job>(Job{std::move(traffic), place(at, count, seed, placement)});
  }

  const Job* job() const { return job_.get(); }
  void raise() const {
    if (state_->error) std::rethrow_exception(std::exchange(state_->error, nullptr));
  }

 private:
  struct State {
    py::function function;
    std::exception_ptr error;  // under the lock
    ~State() {
      const py::gil_scoped_acquire lock;
      function = {};
      error = nullptr;
    }
  };

  static void list(State& state, u32 ranks, u64 seed, u64 sample, u64 round, std::vector<Demand>& out) {
    const py::gil_scoped_acquire lock;
    try {
      using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;
      const Rows rows = py::cast<Rows>(state.function(ranks, round, sample, seed));
      if (rows.size() == 0) return;
      if (rows.ndim() != 2 || rows.shape(1) < 2 || rows.shape(1) > 3)
        throw InputError("a traffic gives rows of two or three numbers: from, to and the amount");
      for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
        const double amount = rows.shape(1) == 3 ? rows.at(i, 2) : 1;
        if (!(amount >= 0) || !std::isfinite(amount))
          throw InputError(fmt::format("an amount of a traffic is {}: expected a number from 0 on", amount));
        out.push_back({rank(rows.at(i, 0), ranks), rank(rows.at(i, 1), ranks), amount});
      }
    } catch (...) {
      if (!state.error) state.error = std::current_exception();
      throw InputError("the function of the traffic failed");
    }
  }

  static Rank rank(double number, u32 ranks) {
    const bool is_rank = number >= 0 && number < ranks && number == std::floor(number);
    if (!is_rank)
      throw InputError(fmt::format("a traffic names rank {:g}: there are ranks 0 to {}", number, ranks - 1));
    return Rank{static_cast<u32>(number)};
  }

  std::shared_ptr<State> state_;
  std::shared_ptr<const Job> job_;
};

// --- fabrics and routings
// ---------------------------------------------------------------------------------------------

const Fabric& cables_of(const OpenFabric& fabric) { return fabric.loaded.topology.fabric; }

template <class F>
py::array_t<u32> by_channel(const OpenFabric& fabric, F&& f) {
  const Fabric& at = cables_of(fabric);
  py::array_t<u32> out(static_cast<py::ssize_t>(at.channels().size()));
  u32* next = out.mutable_data();
  for (const Channel c : at.channels()) *next++ = f(at, c);
  return out;
}

std::vector<std::string> names_of(const OpenFabric& fabric) {
  const Fabric& at = cables_of(fabric);
  std::vector<std::string> out;
  for (const Node node : at.nodes()) out.push_back(at.name(node));
  return out;
}

py::array_t<int> distances_of(const OpenFabric& fabric) {
  const Fabric& at = cables_of(fabric);
  const auto nics = static_cast<py::ssize_t>(at.nics());
  py::array_t<int> out({nics, nics});
  const std::span<int> all(out.mutable_data(), at.nics() * std::size_t{at.nics()});
  unlocked([&] { topology::search_nic_distances(at, all); });
  return out;
}

FabricPtr from_cables(u32 hosts, u32 rails, const std::vector<std::string>& names, const py::list& cables) {
  if (names.size() < hosts)
    throw InputError(fmt::format("{} names for {} hosts: expected one for each", names.size(), hosts));
  Cabling cabling{.hosts = hosts,
                  .switches = static_cast<u32>(names.size()) - hosts,
                  .names = names,
                  .cables = {},
                  .rails = rails};
  for (const py::handle each : cables) {
    const auto [a, pa, b, pb, capacity, latency] =
        py::cast<std::tuple<u32, long, u32, long, double, double>>(each);
    const auto port = [](long given) { return given < 0 ? CableEnd::any_port : static_cast<u32>(given); };
    cabling.cables.push_back({{a, port(pa)}, {b, port(pb)}, {capacity, latency}});
  }
  return library::open(cabling);
}

// The tables as an array by switch and address, without a copy: the routing's own, or those that its closed
// form gives.
py::object tables_of(const RoutingPtr& routing) {
  struct Held {
    RoutingPtr routing;
    std::optional<Routing> made;
  };
  const bool has_tables = std::holds_alternative<Tables>(routing->routing.forward);
  std::optional<Routing> made;
  if (!has_tables) made = unlocked([&] { return library::tables(*routing); });
  auto* held = new Held{routing, std::move(made)};
  py::capsule base(held, [](void* p) { delete static_cast<Held*>(p); });
  const Tables& tables = std::get<Tables>(has_tables ? routing->routing.forward : held->made->forward);
  const Fabric& fabric = cables_of(*routing->fabric);
  const auto row = tables.towards(Address{0});
  const std::size_t skip = fabric.nics() - tables.first_node();  // rows of NICs, where there are any
  py::array_t<u8> out(
      {static_cast<py::ssize_t>(fabric.switches()), static_cast<py::ssize_t>(tables.addresses())},
      {py::ssize_t{1}, static_cast<py::ssize_t>(row.size())}, row.data() + skip, base);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

using Bytes = py::array_t<u8, py::array::c_style | py::array::forcecast>;
RoutingPtr by_tables(const FabricPtr& fabric, const std::string& name, const Bytes& ports,
                     const std::optional<Bytes>& lanes) {
  const Fabric& at = cables_of(*fabric);
  if (ports.ndim() != 2 || ports.shape(0) != at.switches() || ports.shape(1) != at.nics())
    throw InputError("tables are an array by switch and NIC: expected " + std::to_string(at.switches()) +
                     " times " + std::to_string(at.nics()));
  std::span<const u8> lane;
  if (lanes) lane = {lanes->data(), static_cast<std::size_t>(lanes->size())};
  return library::route(fabric, name, {ports.data(), static_cast<std::size_t>(ports.size())}, lane);
}

// --- questions
// ----------------------------------------------------------------------------------------------------------

// A list is the same option several times.
Texts texts_of(const py::dict& options) {
  Texts out;
  const auto add = [&](const py::handle& key, const py::handle& value) {
    out.emplace_back(py::cast<std::string>(key), py::isinstance<py::bool_>(value)
                                                     ? (py::cast<bool>(value) ? "true" : "false")
                                                     : py::cast<std::string>(py::str(value)));
  };
  for (const auto& [key, value] : options) {
    if (value.is_none()) continue;
    if (py::isinstance<py::list>(value))
      for (const py::handle each : value) add(key, each);
    else
      add(key, value);
  }
  return out;
}

Progress::Screen screen_of(const py::object& write) {
  if (write.is_none()) return {};
  return {[&write](std::string_view text) {
            const py::gil_scoped_acquire lock;
            try {
              write(py::str(text.data(), text.size()));
            } catch (const py::error_already_set&) {  // a screen that fails shows nothing
            }
          },
          seconds_now};
}

py::object ask(const std::string& question, const FabricPtr& fabric, const RoutingPtr& routing,
               const FabricPtr& other, const py::dict& options, const PythonTraffic* traffic,
               const py::object& write) {
  Asked asked{.fabric = fabric,
              .routing = routing,
              .other = other,
              .options = texts_of(options),
              .job = traffic ? traffic->job() : nullptr,
              .screen = screen_of(write)};
  try {
    return object_of(unlocked([&] { return library::ask(question, std::move(asked)); }));
  } catch (const InputError&) {
    if (traffic) traffic->raise();
    throw;
  }
}

template <class Plugins>
py::list list_of(const Plugins& plugins) {
  py::list out;
  for (const auto& plugin : plugins) {
    py::dict info;
    info["name"] = std::string(plugin.name);
    info["summary"] = std::string(plugin.summary);
    info["source"] = std::string(plugin.source);
    info["options"] = infos_of(plugin.options);
    out.append(info);
  }
  return out;
}

py::list topology_list() {
  py::list out;
  for (const Family& family : families()) {
    py::dict info;
    info["name"] = std::string(family.name);
    info["notation"] = std::string(family.notation);
    info["example"] = std::string(family.example);
    info["summary"] = std::string(family.summary);
    info["source"] = std::string(family.source);
    out.append(info);
  }
  return out;
}

py::list question_list() {
  py::list out;
  for (const Question& question : questions()) {
    py::dict info, answers;
    info["name"] = std::string(question.name);
    info["summary"] = std::string(question.summary);
    info["of"] = static_cast<int>(question.of);
    info["first"] = std::string(question.first);
    info["options"] = infos_of(question.options());
    for (const AnswerType& type : question.answers()) answers[py::str(type.name)] = infos_of(type.fields);
    info["answers"] = answers;
    out.append(info);
  }
  return out;
}

// --- the module
// --------------------------------------------------------------------------------------------------------

void add_failures(py::module_& module) {
  static auto* input = new py::exception<InputError>(module, "InputError", PyExc_ValueError);
  static auto* refused = new py::exception<Refused>(module, "NotApplicable", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT: pybind11 wants a value
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refused& error) {
      (*refused)(without_dashes(error.what()).c_str());
    } catch (const InputError& error) {
      (*input)(without_dashes(error.what()).c_str());
    } catch (const Interrupted&) {
      if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

void add_answers(py::module_& module) {
  py::class_<AnswerView>(module, "Answer")
      .def("get",
           [](const AnswerView& self, const std::string& name) {
             const auto value = self.find(name);
             if (value) return object_of(*value);
             try {
               refuse_field(self, name);
             } catch (const InputError& error) {
               throw py::attribute_error(error.what());
             }
           })
      .def("to_dict", [](const AnswerView& self) { return plain(self); })
      .def("names",
           [](const AnswerView& self) {
             py::list out;
             self.each(
                 [&](std::string_view name, const Value&) { out.append(py::str(name.data(), name.size())); });
             return out;
           })
      .def("fields", [](const AnswerView& self) { return infos_of(self.infos()); })
      .def("json", &AnswerView::json);
  module.def("set_wrap", [](py::object f) { wrap() = std::move(f); });
}

void add_fabrics(py::module_& module) {
  py::class_<OpenFabric, std::shared_ptr<OpenFabric>>(module, "Fabric")
      .def_property_readonly("hosts", [](const OpenFabric& f) { return cables_of(f).hosts(); })
      .def_property_readonly("rails", [](const OpenFabric& f) { return cables_of(f).rails(); })
      .def_property_readonly("nics", [](const OpenFabric& f) { return cables_of(f).nics(); })
      .def_property_readonly("switches", [](const OpenFabric& f) { return cables_of(f).switches(); })
      .def_property_readonly("links", [](const OpenFabric& f) { return cables_of(f).links(); })
      .def_property_readonly("channels", [](const OpenFabric& f) { return cables_of(f).channels().size(); })
      .def_property_readonly("text", [](const OpenFabric& f) { return f.text; })
      .def_property_readonly("faults", [](const OpenFabric& f) { return f.without; })
      .def_property_readonly("notation",
                             [](const OpenFabric& f) { return canonical_notation(f.loaded.topology); })
      .def_property_readonly("names", names_of)
      .def_property_readonly("host_names",
                             [](const OpenFabric& f) {
                               std::vector<std::string> out;
                               for (u32 h = 0; h < cables_of(f).hosts(); ++h)
                                 out.push_back(cables_of(f).host_name(Host{h}));
                               return out;
                             })
      .def_property_readonly("channel_from",
                             [](const OpenFabric& f) {
                               return by_channel(
                                   f, [](const Fabric& at, Channel c) { return index(at.from(c)); });
                             })
      .def_property_readonly("channel_to",
                             [](const OpenFabric& f) {
                               return by_channel(f,
                                                 [](const Fabric& at, Channel c) { return index(at.to(c)); });
                             })
      .def_property_readonly("channel_port",
                             [](const OpenFabric& f) {
                               return by_channel(
                                   f, [](const Fabric& at, Channel c) { return index(at.port(c)); });
                             })
      .def_property_readonly("reverse",
                             [](const OpenFabric& f) {
                               return by_channel(
                                   f, [](const Fabric& at, Channel c) { return index(at.reverse(c)); });
                             })
      .def("link_class",
           [](const OpenFabric& f, u32 channel) {
             if (channel >= cables_of(f).channels().size()) throw InputError("there is no such channel");
             const LinkClass& link = cables_of(f).link_class(Channel{channel});
             return py::make_tuple(link.capacity, link.latency);
           })
      .def("distances", distances_of)
      .def("without",
           [](const OpenFabric& f, const std::vector<std::string>& faults) {
             return std::const_pointer_cast<OpenFabric>(library::without(f, faults));
           })
      .def("write", [](const OpenFabric& f, const std::string& path, const std::string& format) {
        formats::write_fabric({f.loaded.topology, f.loaded.ids}, path, format);
      });
  module.def("open", [](const std::string& text, const std::vector<std::string>& without) {
    return std::const_pointer_cast<OpenFabric>(unlocked([&] { return library::open(text, without); }));
  });
  module.def("from_cables",
             [](u32 hosts, u32 rails, const std::vector<std::string>& names, const py::list& cables) {
               return std::const_pointer_cast<OpenFabric>(from_cables(hosts, rails, names, cables));
             });
}

void add_routings(py::module_& module) {
  py::class_<OpenRouting, std::shared_ptr<OpenRouting>>(module, "Routing")
      .def_property_readonly("engine", [](const OpenRouting& r) { return r.router.name; })
      .def_property_readonly("lanes", [](const OpenRouting& r) { return r.routing.lanes; })
      .def_property_readonly(
          "fabric", [](const OpenRouting& r) { return std::const_pointer_cast<OpenFabric>(r.fabric); })
      .def("tables", [](const std::shared_ptr<OpenRouting>& r) { return tables_of(r); });
  module.def("route", [](const std::shared_ptr<OpenFabric>& fabric, const py::dict& options) {
    const Texts texts = texts_of(options);
    return std::const_pointer_cast<OpenRouting>(unlocked([&] { return library::route(fabric, texts); }));
  });
  module.def("route_by_tables", [](const std::shared_ptr<OpenFabric>& fabric, const std::string& name,
                                   const Bytes& ports, const std::optional<Bytes>& lanes) {
    return std::const_pointer_cast<OpenRouting>(by_tables(fabric, name, ports, lanes));
  });
}

}  // namespace banyan::python

PYBIND11_MODULE(_banyan, module) {
  using namespace banyan::python;
  main_thread = py::cast<unsigned long>(py::module_::import("threading").attr("main_thread")().attr("ident"));
  module.attr("version") = std::string(banyan::base::version());
  add_failures(module);
  add_answers(module);
  add_fabrics(module);
  add_routings(module);
  py::class_<PythonTraffic>(module, "Traffic")
      .def(py::init([](py::function f, const std::shared_ptr<banyan::library::OpenFabric>& fabric,
                       banyan::base::u32 ranks, banyan::base::u64 rounds, bool is_random, bool in_bytes,
                       const std::string& placement, banyan::base::u64 seed) {
        return std::make_unique<PythonTraffic>(std::move(f), *fabric, ranks, rounds, is_random, in_bytes,
                                               placement, seed);
      }));
  module.def("ask",
             [](const std::string& question, const std::shared_ptr<banyan::library::OpenFabric>& fabric,
                const std::shared_ptr<banyan::library::OpenRouting>& routing,
                const std::shared_ptr<banyan::library::OpenFabric>& other, const py::dict& options,
                const PythonTraffic* traffic, const py::object& write) {
               return ask(question, fabric, routing, other, options, traffic, write);
             });
  module.def("questions", question_list);
  module.def("engines", [] { return list_of(banyan::engines::engines()); });
  module.def("patterns", [] { return list_of(banyan::traffic::patterns()); });
  module.def("topologies", topology_list);
}
