// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/calculon/gemm_staircases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::model::calculon {
namespace {

constexpr double steps_an_octave = 2;
constexpr int most_rounds = 10;
constexpr int candidates = 41;  // quantiles of what the rows of a step reached

int step_of(double amount) { return static_cast<int>(std::floor(std::log2(amount) * steps_an_octave)); }
double threshold_of(int step) { return std::exp2(step / steps_an_octave); }

double together(ProcessingMode mode, double a_s, double b_s) {
  return mode == ProcessingMode::roofline ? std::max(a_s, b_s) : a_s + b_s;
}

/// What the engine or memory may take of a measured time: all of it, or what the other leaves.
double share_of(ProcessingMode mode, double measured_s, double other_s) {
  return mode == ProcessingMode::roofline ? measured_s : std::max(measured_s - other_s, 0.0);
}

double bytes_of(const GemmPeaks& peaks, const fit::GemmShape& shape) {
  return peaks.element_bytes * (shape.m * shape.n + shape.m * shape.k + shape.n * shape.k);
}

/// One of the two engines, as rows see it.
struct Table {
  std::map<int, std::vector<std::size_t>> rows_of_step;
  std::map<int, double> efficiency;
  std::vector<double> ideal_s;  // by row, at efficiency 1
  std::vector<int> step;        // by row

  void add(double amount, double per_s) {
    step.push_back(step_of(amount));
    rows_of_step[step.back()].push_back(ideal_s.size());
    ideal_s.push_back(amount / per_s);
  }
  double seconds(std::size_t row) const { return ideal_s[row] / efficiency.at(step[row]); }
};

struct Measured {
  ProcessingMode mode;
  std::vector<double> s;  // by row
};

double error_of(const Table& table, const Table& other, const Measured& measured,
                const std::vector<std::size_t>& rows, double efficiency) {
  double sum = 0;
  for (const std::size_t row : rows)
    sum += std::abs(
        together(measured.mode, table.ideal_s[row] / efficiency, other.seconds(row)) / measured.s[row] - 1);
  return sum;
}

/// The best of what the rows of a step reached, and of what it has; true where that is another.
bool improve(Table& table, const Table& other, const Measured& measured) {
  bool changed = false;
  for (const auto& [step, rows] : table.rows_of_step) {
    std::vector<double> reached;
    for (const std::size_t row : rows)
      reached.push_back(
          std::min(1.0, table.ideal_s[row] / share_of(measured.mode, measured.s[row], other.seconds(row))));
    std::ranges::sort(reached);
    double best = table.efficiency.at(step);
    double least = error_of(table, other, measured, rows, best);
    for (int i = 0; i < candidates; ++i) {
      const double candidate = reached[static_cast<std::size_t>(i) * (reached.size() - 1) / (candidates - 1)];
      const double error = error_of(table, other, measured, rows, candidate);
      if (error >= least * (1 - 1e-9)) continue;
      std::tie(best, least, changed) = std::tuple(candidate, error, true);
    }
    table.efficiency[step] = best;
  }
  return changed;
}

EfficiencySteps steps_of(const Table& table) {
  EfficiencySteps steps;
  for (const auto& [step, efficiency] : table.efficiency) steps.push_back({threshold_of(step), efficiency});
  steps.front().threshold = 0;
  std::ranges::reverse(steps);
  return steps;
}

void refuse_beyond_peak(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks) {
  double fastest = 0;
  for (const fit::GemmRow& row : rows) fastest = std::max(fastest, row.shape.flop() / (row.time_us * 1e-6));
  if (fastest > peaks.flop_per_s)
    core::usage_error(
        fmt::format("{:.6g} TFLOP/s were measured, above the system's peak of {:g}: raise its tflops",
                    fastest * 1e-12, peaks.flop_per_s * 1e-12));
}

}  // namespace

std::string to_string(ProcessingMode mode) {
  return mode == ProcessingMode::roofline ? "roofline" : "no_overlap";
}

double efficiency_at(const EfficiencySteps& steps, double amount) {
  for (const EfficiencyStep& step : steps)
    if (amount >= step.threshold) return step.efficiency;
  return steps.empty() ? 1 : steps.back().efficiency;
}

double seconds(const GemmPeaks& peaks, const GemmStaircases& staircases, const fit::GemmShape& shape) {
  const double flop = shape.flop(), bytes = bytes_of(peaks, shape);
  return together(peaks.mode, flop / (peaks.flop_per_s * efficiency_at(staircases.by_flop, flop)),
                  bytes / (peaks.b_per_s * efficiency_at(staircases.by_bytes, bytes)));
}

GemmStaircases fit_staircases(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks) {
  if (rows.size() < fewest_staircase_rows)
    core::usage_error(fmt::format("{} GEMMs of that dtype and size: expected at least {}", rows.size(),
                                  fewest_staircase_rows));
  refuse_beyond_peak(rows, peaks);
  Table by_flop, by_bytes;
  Measured measured{peaks.mode, {}};
  for (const fit::GemmRow& row : rows) {
    by_flop.add(row.shape.flop(), peaks.flop_per_s);
    by_bytes.add(bytes_of(peaks, row.shape), peaks.b_per_s);
    measured.s.push_back(row.time_us * 1e-6);
  }
  for (const auto& [step, unused] : by_flop.rows_of_step) by_flop.efficiency[step] = 1;
  for (const auto& [step, unused] : by_bytes.rows_of_step)
    by_bytes.efficiency[step] = efficiency_at(peaks.by_bytes, threshold_of(step));
  for (int round = 0; round < most_rounds; ++round) {
    const bool flop_changed = improve(by_flop, by_bytes, measured);
    if (!improve(by_bytes, by_flop, measured) && !flop_changed) break;
  }
  return {steps_of(by_flop), steps_of(by_bytes)};
}

fit::Errors held_out_errors(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks,
                            std::uint64_t seed) {
  constexpr int folds = 5;
  fit::Errors errors;
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<fit::GemmRow> kept, judged;
    for (const fit::GemmRow& row : rows)
      (fit::split_bucket(seed, row.key()) % folds == fold ? judged : kept).push_back(row);
    const GemmStaircases staircases = fit_staircases(kept, peaks);
    for (const fit::GemmRow& row : judged)
      errors.add(row.shape.flop(), seconds(peaks, staircases, row.shape) * 1e6, row.time_us);
  }
  return errors;
}

}  // namespace assay::model::calculon
