// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Another tool's own formula, with its own units, fitted to what was measured: what the tool then predicts is
// as near as its formula can be, and how near is said.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::exporters {

/// Microseconds of a row under coefficients that are all above 0, in the tool's units.
template <class Row>
struct Formula {
  std::vector<std::string> names;
  std::vector<double> start;
  std::function<double(const Row&, std::span<const double>)> time_us;
  std::function<double(const Row&)> size;  // FLOP or bytes, for errors by decade
};

struct FittedFormula {
  std::vector<fit::Coefficient> coefficients;  // in the order of the names
  fit::Errors held_out;                        // each fifth of the rows, by a fit of the others

  double value(std::size_t coefficient) const { return coefficients[coefficient].value; }
};

namespace detail {

template <class Row>
fit::RelativeProblem problem_of(const std::vector<Row>& rows, const Formula<Row>& formula) {
  fit::RelativeProblem problem;
  problem.time_us = [&rows, &formula](std::size_t i, std::span<const double> coefficients) {
    return formula.time_us(rows[i], coefficients);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem.measured_us.push_back(rows[i].time_us);
    problem.cluster.push_back(i);
  }
  return problem;
}

}  // namespace detail

/// Robust relative least squares (fit_relative).
template <class Row>
FittedFormula fit_formula(const std::vector<Row>& rows, const Formula<Row>& formula, std::uint64_t seed) {
  constexpr int folds = 5;
  const fit::RelativeProblem whole = detail::problem_of(rows, formula);
  FittedFormula fitted{
      fit::with_intervals(whole, fit::fit_relative(whole, formula.start), formula.names, seed), {}};
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<Row> kept, judged;
    for (const Row& row : rows)
      (fit::split_bucket(seed, row.key()) % folds == fold ? judged : kept).push_back(row);
    if (kept.size() < formula.names.size() || judged.empty()) continue;
    const std::vector<double> values = fit::fit_relative(detail::problem_of(kept, formula), formula.start);
    for (const Row& row : judged)
      fitted.held_out.add(formula.size(row), formula.time_us(row, values), row.time_us);
  }
  return fitted;
}

}  // namespace assay::model::exporters
