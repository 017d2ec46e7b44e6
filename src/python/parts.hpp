// The parts of banyan._banyan, each in a file of its own, and what they share.
#pragma once
#include <pybind11/pybind11.h>

#include "library/questions.hpp"

namespace banyan::python {

namespace py = pybind11;
using namespace library;

void add_answers(py::module_& module);
void add_fabrics(py::module_& module);
void add_routings(py::module_& module);
void add_questions(py::module_& module);
void add_networks(py::module_& module);
void add_studies(py::module_& module);

// Raises banyan.MissingPackage, with what it is needed for, where numpy is not installed. To be called before
// an array is made.
void need_numpy(const char* what);
// The Python object of an answer, of the class that banyan._wrap() makes.
py::object object_of(const AnswerView& answer);
// Lists of dictionaries, for documentation, stubs and the classes of answers.
py::list infos_of(const std::vector<FieldInfo>& fields);
py::list infos_of(const std::vector<OptionInfo>& options);
// Options by keyword. A list is the same option several times; None is none.
Texts texts_of(const py::dict& options);

}  // namespace banyan::python
