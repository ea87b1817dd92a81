// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fit {
namespace {

/// `judge(row)` adds one row that was not seen.
template <class Row, class Judge>
void unseen(const Timings<Row>& timings, const SeenRows& seen, Evaluation& evaluation, Judge judge) {
  for (const Row& row : timings.rows) {
    if (seen.contains_row(row))
      ++evaluation.seen;
    else
      judge(row);
  }
  if (evaluation.all.empty() && evaluation.without_coefficients > 0)
    core::usage_error(fmt::format("{}: the coefficients apply to none of its {} unseen rows",
                                  timings.table.path(), evaluation.without_coefficients));
  if (evaluation.all.empty())
    core::usage_error(fmt::format(
        "{}: the fit has seen all of its {} rows; give rows it has not seen, or fit again with --keep-out 20",
        timings.table.path(), timings.rows.size()));
}

/// The row as one of the dtype whose coefficients are asked.
template <class Row>
Row priced_as(Row row, const std::string& by_dtype) {
  if (!by_dtype.empty()) row.dtype = by_dtype;
  return row;
}

template <class Row>
[[noreturn]] void refuse_row(const Timings<Row>& timings, const Row& row, const char* column,
                             const std::string& coefficients_path, const std::string& name) {
  timings.table.complain(
      row.table_row, column,
      fmt::format("{} has no coefficients for '{}'; --coefficients-dtype takes another dtype's",
                  coefficients_path, name));
}

Evaluation evaluate_gemm(const std::string& coefficients_path, const CsvSource& rows,
                         const std::string& by_dtype) {
  const GemmCoefficients coefficients = read_gemm_coefficients(coefficients_path);
  const Timings<GemmRow> timings = read_gemm_timings(rows);
  Evaluation result{{coefficients.provenance.machine, coefficients.provenance.origin},
                    {timings.machine, timings.table.origin()},
                    "FLOP",
                    0,
                    0,
                    {},
                    {},
                    {}};
  unseen(timings, coefficients.seen, result, [&](const GemmRow& row) {
    const std::string group = priced_as(row, by_dtype).group();
    const auto model = coefficients.models.find(group);
    if (model == coefficients.models.end()) refuse_row(timings, row, "dtype", coefficients_path, group);
    const double predicted_us = model->second.time_us(row.shape);
    result.add(row.group(), {fmt::format("{} {:.0f} x {:.0f} x {:.0f}", row.group(), row.shape.m, row.shape.n,
                                         row.shape.k),
                             row.shape.flop(), row.time_us, predicted_us});
  });
  return result;
}

Evaluation evaluate_collectives(const std::string& coefficients_path, const CsvSource& rows,
                                const std::string& by_dtype) {
  const CollectiveCoefficients coefficients = read_collective_coefficients(coefficients_path);
  const Timings<CollectiveRow> timings = read_collective_timings(rows);
  Evaluation result{{coefficients.provenance.machine, coefficients.provenance.origin},
                    {timings.machine, timings.table.origin()},
                    "bytes",
                    0,
                    0,
                    {},
                    {},
                    {}};
  unseen(timings, coefficients.seen, result, [&](const CollectiveRow& row) {
    const CollectiveRow priced = priced_as(row, by_dtype);
    const std::string family = coefficients.models.family_of(priced);
    if (coefficients.models.curve(family, priced.dtype) == nullptr)
      refuse_row(timings, row, "op", coefficients_path, priced.curve());
    const double predicted_us = coefficients.models.time_us(family, priced.dtype, row.size_bytes);
    result.add(row.operation, {row.curve(), row.size_bytes, row.time_us, predicted_us});
  });
  return result;
}

Evaluation evaluate_sizes(const std::string& coefficients_path, const CsvSource& rows) {
  const SizeCoefficients coefficients = read_size_coefficients(coefficients_path);
  const Timings<SizeRow> timings = read_size_timings(rows);
  Evaluation result{{coefficients.provenance.machine, coefficients.provenance.origin},
                    {timings.machine, timings.table.origin()},
                    "bytes",
                    0,
                    0,
                    {},
                    {},
                    {}};
  unseen(timings, coefficients.seen, result, [&](const SizeRow& row) {
    const auto curve = coefficients.curves.find(row.curve());
    if (curve == coefficients.curves.end()) {
      ++result.without_coefficients;
      return;
    }
    const double predicted_us = segments_us(curve->second, row.size_bytes);
    result.add(row.operation, {row.curve(), row.size_bytes, row.time_us, predicted_us});
  });
  return result;
}

/// A latency is judged by each way of posting that its operation was fitted with.
Evaluation evaluate_loggp(const std::string& coefficients_path, const CsvSource& rows) {
  const LogGpCoefficients coefficients = read_loggp_coefficients(coefficients_path);
  const Timings<VerbsRow> timings = read_verbs_timings(rows);
  Evaluation result{{coefficients.provenance.machine, coefficients.provenance.origin},
                    {timings.machine, timings.table.origin()},
                    "bytes",
                    0,
                    0,
                    {},
                    {},
                    {}};
  unseen(timings, coefficients.seen, result, [&](const VerbsRow& row) {
    if (row.kind == VerbsRow::Kind::overhead) return;  // of a processor, not of a message on its way
    bool known = false;
    for (const auto& [name, model] : coefficients.links) {
      const bool of_latency = row.kind == VerbsRow::Kind::latency && name.starts_with(row.link() + ", ");
      if (!of_latency && name != loggp_name(row)) continue;
      known = true;
      const double predicted_us = model.time_us(row.kind, row.size_bytes);
      result.add(name, {name, row.size_bytes, row.time_us, predicted_us});
    }
    if (!known) ++result.without_coefficients;
  });
  return result;
}

std::string line_of(const std::string& name, const Accuracy& accuracy) {
  return fmt::format("{:<24} {:>7} {:>8.2f} {:>8.2f} {:>+8.2f}\n", name, accuracy.rows, accuracy.mape_percent,
                     accuracy.p90_percent, accuracy.bias_percent);
}

}  // namespace

void Evaluation::add(const std::string& group, const Judged& row) {
  all.add(row.size, row.predicted_us, row.measured_us);
  by_group[group].add(row.size, row.predicted_us, row.measured_us);
  rows.push_back(row);
}

Evaluation evaluate(const std::string& coefficients_path, const CsvSource& rows,
                    const std::string& by_dtype) {
  const CoefficientsKind kind = kind_of_coefficients(coefficients_path);
  const bool has_dtypes = kind == CoefficientsKind::gemm || kind == CoefficientsKind::collectives;
  if (!by_dtype.empty() && !has_dtypes)
    core::usage_error(fmt::format("{}: coefficients of {} know no dtypes: --coefficients-dtype has no use",
                                  coefficients_path, to_string(kind)));
  switch (kind) {
    case CoefficientsKind::gemm:
      return evaluate_gemm(coefficients_path, rows, by_dtype);
    case CoefficientsKind::collectives:
      return evaluate_collectives(coefficients_path, rows, by_dtype);
    case CoefficientsKind::memory:
    case CoefficientsKind::vector:
    case CoefficientsKind::links:
      return evaluate_sizes(coefficients_path, rows);
    case CoefficientsKind::loggp:
      return evaluate_loggp(coefficients_path, rows);
    case CoefficientsKind::interference:
    case CoefficientsKind::overlap:
      break;
  }
  core::usage_error(fmt::format("{}: coefficients of {} are measured, not fitted: there is nothing to judge",
                                coefficients_path, to_string(kind)));
}

std::string text_of(const Errors& errors, const std::string& size_unit) {
  std::string text = line_of("all", errors.whole());
  for (const auto& [decade, accuracy] : errors.by_decade())
    text += line_of(fmt::format("  1e{} to 1e{} {}", decade, decade + 1, size_unit), accuracy);
  return text;
}

std::string text_of(const Evaluation& evaluation) {
  std::string text = fmt::format("{} rows the fit has not seen; {} seen are left out\n",
                                 evaluation.all.whole().rows, evaluation.seen);
  if (evaluation.without_coefficients > 0)
    text += fmt::format("{} rows are of groups that the fit left out\n", evaluation.without_coefficients);
  if (evaluation.fitted_on.machine != evaluation.rows_of.machine)
    text += fmt::format(
        "fitted on '{}', these rows are of '{}': coefficients do not carry over (docs/evidence/fits.md)\n",
        evaluation.fitted_on.machine, evaluation.rows_of.machine);
  if (evaluation.fitted_on.origin != "measured" || evaluation.rows_of.origin != "measured")
    text += fmt::format("fitted on what was {}, these rows were {}\n", evaluation.fitted_on.origin,
                        evaluation.rows_of.origin);
  text += fmt::format("{:<24} {:>7} {:>8} {:>8} {:>8}\n", "", "rows", "MAPE %", "p90 %", "bias %");
  for (const auto& [group, errors] : evaluation.by_group) text += line_of(group, errors.whole());
  return text + text_of(evaluation.all, evaluation.size_unit);
}

std::string csv_of(const Evaluation& evaluation) {
  std::string text = "what,size,measured_us,predicted_us\n";
  for (const Judged& row : evaluation.rows) {
    std::string what = row.what;
    std::ranges::replace(what, ',', ' ');
    text += fmt::format("{},{:.0f},{:.9g},{:.9g}\n", what, row.size, row.measured_us, row.predicted_us);
  }
  return text;
}

}  // namespace assay::model::fit
