// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.fit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/answers/fit_all.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

namespace fit = model::fit;

fit::CoefficientsKind kind_named(const std::string& name) {
  const auto kind = std::ranges::find(fit::all_kinds, name, [](auto one) { return fit::to_string(one); });
  if (kind != fit::all_kinds.end()) return *kind;
  std::vector<std::string> names;
  for (const fit::CoefficientsKind one : fit::all_kinds) names.push_back(fit::to_string(one));
  core::usage_error(fmt::format("fit: expected {} or all, got '{}'", fmt::join(names, ", "), name));
}

/// The content of the file of coefficients, which is written to `output` where that is not empty.
Answer fit_any(const std::string& kind, const answers::FitSource& source, const answers::FitChoices& choices,
               const std::string& output) {
  Answer answer;
  if (kind == "all") {
    answers::FittedAll fitted = answers::fit_all(source, choices);
    answer = {fit::coefficients_text(fitted.all), std::move(fitted.warnings)};
  } else {
    const fit::CoefficientsKind one = kind_named(kind);
    answers::FittedKind fitted = answers::fit_kind(one, answers::fit_rows(source, one), choices);
    answer = {fit::coefficients_text(fitted.section), std::move(fitted.warnings)};
  }
  if (!output.empty()) core::write_whole_file(output, answer.first);
  return answer;
}

}  // namespace

void bind_fit(pybind11::module_& module) {
  using answers::FitChoices;
  using answers::FitSource;
  pybind11::class_<FitSource>(module, "FitSource")
      .def(pybind11::init<>())
      .def_readwrite("csv", &FitSource::csv)
      .def_readwrite("store", &FitSource::store)
      .def_readwrite("filter", &FitSource::filter)
      .def_readwrite("runs", &FitSource::runs);
  pybind11::class_<FitChoices>(module, "FitChoices")
      .def(pybind11::init<>())
      .def_readwrite("seed", &FitChoices::seed)
      .def_readwrite("keep_out_percent", &FitChoices::keep_out_percent)
      .def_readwrite("multiprocessors", &FitChoices::multiprocessors);
  module.def("fit", &fit_any, Unlocked());
}

}  // namespace assay::python
