// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Code that the parts of the extension `_assay` share. It takes and returns JSON as text: assay/__init__.py
// is what people call. Arguments are named there, with their units.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::python {

/// A file, or what opens messages and the text that stands for the file.
using Source = std::pair<std::string, std::optional<std::string>>;
/// JSON, and warnings of one line each.
using Answer = std::pair<std::string, std::vector<std::string>>;
/// Other Python threads run while a function computes.
using Unlocked = pybind11::call_guard<pybind11::gil_scoped_release>;

/// Throws what Python makes of Ctrl-C. Held or not, the interpreter's lock is as before.
inline void stop_where_asked() {
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

void bind_predict(pybind11::module_& module);
void bind_sweep(pybind11::module_& module);
void bind_fabric(pybind11::module_& module);
void bind_fit(pybind11::module_& module);
void bind_reliability(pybind11::module_& module);
void bind_store(pybind11::module_& module);

}  // namespace assay::python
