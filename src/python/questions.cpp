// Questions for Python: one function asks any of them; lists of what there is.
#include <pybind11/stl.h>

#include <optional>

#include "base/error.hpp"
#include "base/seconds.hpp"
#include "engines/engine.hpp"
#include "python/parts.hpp"
#include "python/traffic.hpp"
#include "python/unlocked.hpp"
#include "topology/family.hpp"
#include "traffic/pattern.hpp"

namespace banyan::python {

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

namespace {

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
    return object_of(unlocked([&] {
      std::optional<FunctionInterrupter> interrupter;
      if (traffic) interrupter.emplace(traffic->running());
      return library::ask(question, std::move(asked));
    }));
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

}  // namespace

void add_questions(py::module_& module) {
  py::class_<PythonTraffic>(module, "Traffic")
      .def(py::init([](py::function f, const std::shared_ptr<OpenFabric>& fabric, u32 ranks, u64 rounds,
                       bool is_random, bool in_bytes, const std::string& placement, u64 seed) {
        return std::make_unique<PythonTraffic>(std::move(f), *fabric, ranks, rounds, is_random, in_bytes,
                                               placement, seed);
      }));
  module.def("ask", [](const std::string& question, const std::shared_ptr<OpenFabric>& fabric,
                       const std::shared_ptr<OpenRouting>& routing, const std::shared_ptr<OpenFabric>& other,
                       const py::dict& options, const PythonTraffic* traffic, const py::object& write) {
    return ask(question, fabric, routing, other, options, traffic, write);
  });
  module.def("questions", question_list);
  module.def("routing_options", [] { return infos_of(option_infos<RoutingOptions>()); });
  module.def("engines", [] { return list_of(engines::engines()); });
  module.def("patterns", [] { return list_of(traffic::patterns()); });
  module.def("topologies", topology_list);
}

}  // namespace banyan::python
