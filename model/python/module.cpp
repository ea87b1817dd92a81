// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The extension `_assay`, and what the errors of the libraries are in Python.
#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/version.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

/// Live as long as the interpreter.
PyObject* error_type = nullptr;
PyObject* usage_error_type = nullptr;

PyObject* add_error(pybind11::module_& module, const char* name, const char* about, PyObject* bases) {
  PyObject* type = PyErr_NewExceptionWithDoc((std::string("assay.") + name).c_str(), about, bases, nullptr);
  if (type == nullptr) throw pybind11::error_already_set();
  module.add_object(name, type);
  return type;
}

void add_errors(pybind11::module_& module) {
  error_type =
      add_error(module, "Error", "What the command line ends with, in the same one line.", PyExc_Exception);
  const pybind11::tuple bases =
      pybind11::make_tuple(pybind11::handle(error_type), pybind11::handle(PyExc_ValueError));
  usage_error_type = add_error(module, "UsageError",
                               "An input that cannot be used: where, and what was expected.", bases.ptr());
}

void raise(PyObject* type, const std::exception& error) {
  PyErr_SetString(type, core::printable_message(error.what()).c_str());
}

/// As the command line ends: a usage Error by 2, everything else that is thrown by 3.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const pybind11::builtin_exception&) {
    throw;
  } catch (const pybind11::error_already_set&) {
    throw;
  } catch (const core::Error& error) {
    raise(error.kind() == core::ErrorKind::usage ? usage_error_type : error_type, error);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    raise(error_type, error);
  }
}

}  // namespace

PYBIND11_MODULE(_assay, module) {
  add_errors(module);
  pybind11::register_exception_translator(translate);
  module.attr("version") = core::version();
  bind_predict(module);
  bind_sweep(module);
  bind_fabric(module);
  bind_fit(module);
  bind_reliability(module);
  bind_store(module);
}

}  // namespace assay::python
