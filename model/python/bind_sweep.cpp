// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.sweep: arrays of parameters in, arrays of numbers out.
#include <pybind11/numpy.h>

#include <algorithm>

#include "harness/front/answers/sweep.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

namespace py = pybind11;

template <class Value>
std::vector<nlohmann::json> numbers_in(const py::array& array) {
  const auto values = py::array_t < Value, py::array::c_style | py::array::forcecast > (array);
  return {values.data(), values.data() + values.size()};
}

/// A column of whole numbers, real ones, booleans or words.
std::vector<nlohmann::json> values_in(const std::string& key, const py::array& array) {
  switch (array.dtype().kind()) {
    case 'b':
      return numbers_in<bool>(array);
    case 'i':
    case 'u':
      return numbers_in<std::int64_t>(array);
    case 'f':
      return numbers_in<double>(array);
    default:
      break;
  }
  std::vector<nlohmann::json> words;
  for (const py::handle& value : array.attr("tolist")()) {
    if (!py::isinstance<py::str>(value))
      throw py::type_error("sweep: " + key + ": expected numbers, booleans or strings");
    words.emplace_back(value.cast<std::string>());
  }
  return words;
}

/// Rows between two looks for Ctrl-C: some tens of milliseconds.
constexpr std::size_t rows_of_piece = 4096;

void answer_rows(answers::Sweep& sweep, double* out, std::uint8_t* statuses,
                 std::vector<std::string>& reasons) {
  const std::size_t width = sweep.names().size();
  for (std::size_t begin = 0; begin < sweep.rows(); begin += rows_of_piece) {
    {
      const py::gil_scoped_release unlocked;
      const std::size_t end = std::min(begin + rows_of_piece, sweep.rows());
      for (std::size_t row = begin; row < end; ++row)
        statuses[row] = static_cast<std::uint8_t>(sweep.answer(row, out + row * width, reasons[row]));
    }
    stop_where_asked();
  }
}

py::tuple sweep(const std::array<Source, 3>& sources, const answers::ModelChoice& choice,
                const std::vector<std::pair<std::string, py::array>>& given,
                const std::vector<std::string>& stats) {
  answers::PredictQuestion question;
  static_cast<answers::ModelChoice&>(question) = choice;
  question.application = {sources[0].first, sources[0].second};
  question.system = {sources[1].first, sources[1].second};
  question.execution = {sources[2].first, sources[2].second};
  std::vector<answers::SweptColumn> columns;
  for (const auto& [key, array] : given) columns.push_back({key, values_in(key, array)});
  answers::Sweep asked(question, std::move(columns), stats);
  py::array_t<double> out({asked.rows(), asked.names().size()});
  py::array_t<std::uint8_t> statuses(static_cast<py::ssize_t>(asked.rows()));
  std::vector<std::string> reasons(asked.rows());
  answer_rows(asked, out.mutable_data(), statuses.mutable_data(), reasons);
  return py::make_tuple(asked.names(), out, statuses, reasons);
}

}  // namespace

void bind_sweep(py::module_& module) { module.def("sweep", &sweep); }

}  // namespace assay::python
