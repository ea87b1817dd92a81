// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/gemm_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

#include "harness/core/error.hpp"
#include "model/fit/laws/gemm_features.hpp"

namespace assay::model::fit {
namespace {

constexpr int kept_percent = 80;
constexpr int small_group_folds = 5;

using GemmRows = std::vector<GemmRow>;

/// Bounds seen in the data: the fastest of each. A coefficient that the rows do not feel stays there.
std::vector<double> start_of(GemmFormula formula, const GemmRows& rows, const GemmDevice& device) {
  double least_us = rows.front().time_us, tflop_per_s = 0, gb_per_s = 0;
  for (const GemmRow& row : rows) {
    least_us = std::min(least_us, row.time_us);
    tflop_per_s = std::max(tflop_per_s, row.shape.flop() / row.time_us / 1e6);
    gb_per_s = std::max(gb_per_s, gemm_bytes(row.shape, device) / row.time_us / 1e3);
  }
  std::vector<double> start = {0.8 * least_us, tflop_per_s, gb_per_s};
  // A tile of 128 x 128 then takes as long to feed as to compute.
  if (formula == GemmFormula::waves) start.push_back(tflop_per_s * 1e3 * device.operand_bytes / 64);
  return start;
}

RelativeProblem problem_of(GemmFormula formula, const GemmRows& rows, const GemmDevice& device) {
  RelativeProblem problem;
  problem.time_us = [formula, &rows, device](std::size_t i, std::span<const double> coefficients) {
    return gemm_core_us(formula, rows[i].shape, device, coefficients);
  };
  std::map<std::string, std::size_t> clusters;
  for (const GemmRow& row : rows) {
    problem.measured_us.push_back(row.time_us);
    problem.cluster.push_back(clusters.emplace(row.pair(), clusters.size()).first->second);
  }
  return problem;
}

GemmModel core_of(GemmFormula formula, const GemmRows& rows, const GemmDevice& device, std::uint64_t seed) {
  const RelativeProblem problem = problem_of(formula, rows, device);
  const std::vector<double> fitted = fit_relative(problem, start_of(formula, rows, device));
  return {device, formula, with_intervals(problem, fitted, coefficient_names(formula), seed), {}};
}

void add_surface(GemmModel& model, const GemmRows& rows, const TreeOptions& options) {
  FeatureTable table;
  std::vector<double> targets;
  for (const GemmRow& row : rows) {
    const std::vector<double> features = gemm_features(row.shape, model.device.multiprocessors);
    table.features = features.size();
    table.cells.insert(table.cells.end(), features.begin(), features.end());
    targets.push_back(std::log(row.time_us / model.core_us(row.shape)));
  }
  model.surface = BoostedTrees::fit(table, targets, options);
}

template <class Key>
std::pair<GemmRows, GemmRows> parted(const GemmRows& rows, std::uint64_t seed, Key key) {
  std::pair<GemmRows, GemmRows> result;
  for (const GemmRow& row : rows)
    (split_bucket(seed, key(row)) < kept_percent ? result.first : result.second).push_back(row);
  return result;
}

template <class Time>
Errors errors_on(const GemmRows& rows, Time time) {
  Errors errors;
  for (const GemmRow& row : rows) errors.add(row.shape.flop(), time(row.shape), row.time_us);
  return errors;
}

Errors repeats_of(const GemmRows& rows) {
  std::map<std::string, GemmRows> shapes;
  for (const GemmRow& row : rows) shapes[row.key()].push_back(row);
  Errors errors;
  for (const auto& [key, same] : shapes) {
    double sum_us = 0;
    for (const GemmRow& row : same) sum_us += row.time_us;
    if (same.size() < 2) continue;
    for (const GemmRow& row : same)
      errors.add(row.shape.flop(), (sum_us - row.time_us) / static_cast<double>(same.size() - 1),
                 row.time_us);
  }
  return errors;
}

ShapeRange range_of(const GemmRows& rows) {
  ShapeRange range{rows.front().shape, rows.front().shape};
  for (const GemmShape& shape : std::views::transform(rows, &GemmRow::shape))
    for (double GemmShape::* size : {&GemmShape::m, &GemmShape::n, &GemmShape::k, &GemmShape::batch}) {
      range.least.*size = std::min(range.least.*size, shape.*size);
      range.most.*size = std::max(range.most.*size, shape.*size);
    }
  return range;
}

Errors errors_of(GemmModel model, const GemmRows& kept, const GemmRows& held_out, const TreeOptions& trees) {
  add_surface(model, kept, trees);
  return errors_on(held_out, [&](const GemmShape& shape) { return model.time_us(shape); });
}

GemmFit fit_group(const GemmRows& rows, const GemmDevice& device, const GemmFitOptions& options) {
  GemmFit result;
  const auto [kept, held_out] = parted(rows, options.seed, [](const GemmRow& row) { return row.key(); });
  const auto [kept_pairs, held_pairs] =
      parted(rows, options.seed, [](const GemmRow& row) { return row.pair(); });
  GemmModel best;
  double least = INFINITY;
  for (const GemmFormula formula : {GemmFormula::roofline, GemmFormula::waves}) {
    const GemmModel core = core_of(formula, kept, device, options.seed);
    const Errors errors = errors_on(held_out, [&](const GemmShape& shape) { return core.core_us(shape); });
    const double mape_percent = errors.whole().mape_percent;
    result.held_out.core_mape_percent[to_string(formula)] = mape_percent;
    if (mape_percent < least) least = mape_percent, best = core;
  }
  result.held_out.rows = errors_of(best, kept, held_out, options.trees);
  if (!kept_pairs.empty() && !held_pairs.empty())
    result.held_out.pairs = errors_of(core_of(best.formula, kept_pairs, device, options.seed), kept_pairs,
                                      held_pairs, options.trees);
  result.held_out.repeats = repeats_of(rows);
  result.model = core_of(best.formula, rows, device, options.seed);
  add_surface(result.model, rows, options.trees);
  result.model.measured = range_of(rows);
  return result;
}

/// A fifth of a dozen shapes judges nothing, so each fifth takes its turn.
GemmFit fit_small_group(const GemmRows& rows, const GemmDevice& device, const GemmFitOptions& options) {
  GemmFit result;
  for (int fold = 0; fold < small_group_folds; ++fold) {
    GemmRows kept, held_out;
    for (const GemmRow& row : rows)
      (split_bucket(options.seed, row.key()) % small_group_folds == fold ? held_out : kept).push_back(row);
    if (held_out.empty() || kept.empty()) continue;
    const GemmModel core = core_of(GemmFormula::roofline, kept, device, options.seed);
    for (const GemmRow& row : held_out)
      result.held_out.rows.add(row.shape.flop(), core.core_us(row.shape), row.time_us);
  }
  result.held_out.core_mape_percent[to_string(GemmFormula::roofline)] =
      result.held_out.rows.whole().mape_percent;
  result.held_out.repeats = repeats_of(rows);
  result.model = core_of(GemmFormula::roofline, rows, device, options.seed);
  result.model.measured = range_of(rows);
  return result;
}

std::size_t different_shapes(const GemmRows& rows) {
  std::set<std::string> shapes;
  for (const GemmRow& row : rows) shapes.insert(row.key());
  return shapes.size();
}

}  // namespace

double GemmModel::core_us(const GemmShape& shape) const {
  std::vector<double> values;
  for (const Coefficient& coefficient : coefficients) values.push_back(coefficient.value);
  return gemm_core_us(formula, shape, device, values);
}

double GemmModel::time_us(const GemmShape& shape) const {
  if (surface.trees().empty()) return core_us(shape);
  return core_us(shape) * std::exp(surface.predict(gemm_features(shape, device.multiprocessors)));
}

double multiprocessors_of(const Timings<GemmRow>& timings, const GemmFitOptions& options) {
  if (options.multiprocessors) return *options.multiprocessors;
  std::int64_t known = 0;
  for (const GemmRow& row : timings.rows) {
    if (row.multiprocessors == 0 || row.multiprocessors == known) continue;
    if (known != 0)
      timings.table.complain(row.table_row, "multiprocessors",
                             fmt::format("{} where other rows have {}: expected one kind of GPU, or "
                                         "--multiprocessors",
                                         row.multiprocessors, known));
    known = row.multiprocessors;
  }
  return known == 0 ? assumed_multiprocessors : static_cast<double>(known);
}

GemmFits fit_gemm(const Timings<GemmRow>& timings, const GemmFitOptions& options) {
  const double multiprocessors = multiprocessors_of(timings, options);
  std::map<std::string, GemmRows> groups;
  for (const GemmRow& row : timings.rows) {
    if (!device_for(row.dtype, multiprocessors))
      timings.table.complain(row.table_row, "dtype", fmt::format("unknown dtype '{}'", row.dtype));
    groups[row.group()].push_back(row);
  }
  GemmFits fits;
  for (const auto& [group, rows] : groups) {
    const std::size_t shapes = different_shapes(rows);
    if (shapes < fewest_gemm_shapes) {
      fits.left_out.push_back(
          fmt::format("{}: {} different shapes; expected {} or more", group, shapes, fewest_gemm_shapes));
      continue;
    }
    const GemmDevice device = *device_for(rows.front().dtype, multiprocessors);
    // Waves and the surface are of one product that has the GPU to itself.
    GemmFit fit = shapes < fewest_shapes_of_surface || rows.front().is_batched()
                      ? fit_small_group(rows, device, options)
                      : fit_group(rows, device, options);
    fit.shapes = shapes;
    fits.groups.emplace(group, std::move(fit));
  }
  if (fits.groups.empty())
    core::usage_error(fmt::format("{}: too few shapes for a fit; expected {} or more of one dtype and layout",
                                  timings.table.path(), fewest_gemm_shapes));
  return fits;
}

}  // namespace assay::model::fit
