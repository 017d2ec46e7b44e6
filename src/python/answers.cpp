// Answers as Python objects: attributes, arrays without a copy, dictionaries.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>

#include "base/error.hpp"
#include "python/parts.hpp"

namespace banyan::python {
namespace {

// What makes the Python object of an answer: banyan._wrap(name, answer). Never destroyed: the interpreter may
// be gone.
py::object& wrap() {
  static auto* all = new py::object;
  return *all;
}

py::object value_object(const Value& value);

}  // namespace

void need_numpy(const char* what) {
  static bool is_there = false;  // under the lock
  if (!is_there) py::module_::import("banyan").attr("_need")("numpy", what);
  is_there = true;
}

py::object object_of(const AnswerView& answer) { return wrap()(answer.name(), py::cast(answer)); }

namespace {

// The numbers themselves; the array keeps them alive, and does not let them be changed.
py::object array_of(const Numbers& numbers) {
  need_numpy("an array of an answer");
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

py::object value_object(const Value& value) {
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
          for (const Value& each : content) out.append(value_object(each));
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
          return value_object(Value{content});
        }
      },
      value.content);
}

}  // namespace

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

void add_answers(py::module_& module) {
  py::class_<AnswerView>(module, "Answer")
      .def("get",
           [](const AnswerView& self, const std::string& name) {
             const auto value = self.find(name);
             if (value) return value_object(*value);
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

}  // namespace banyan::python
