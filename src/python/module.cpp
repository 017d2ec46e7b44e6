// banyan._banyan: the module behind `import banyan`. It knows fabrics, routings and answers whatever their
// type; the classes, names and documentation are made in python/banyan from what it lists.
#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/version.hpp"
#include "library/given.hpp"
#include "python/parts.hpp"
#include "python/unlocked.hpp"

namespace banyan::python {
namespace {

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

}  // namespace
}  // namespace banyan::python

PYBIND11_MODULE(_banyan, module) {
  using namespace banyan::python;
  set_main_thread(
      py::cast<unsigned long>(py::module_::import("threading").attr("main_thread")().attr("ident")));
  module.attr("version") = std::string(banyan::base::version());
  add_failures(module);
  add_answers(module);
  add_fabrics(module);
  add_routings(module);
  add_questions(module);
  add_networks(module);
  add_studies(module);
}
