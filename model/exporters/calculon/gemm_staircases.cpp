// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/gemm_staircases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::model::calculon {
namespace {

constexpr double steps_an_octave = 2;
constexpr int most_rounds = 10;
constexpr std::size_t candidates = 41;  // quantiles of what the rows of a step reached
constexpr std::size_t candidates_of_bounds = 201;
constexpr int replicates = 200;

double threshold_of(int step) { return calculon::threshold_of(step, steps_an_octave); }

double together(ProcessingMode mode, double a_s, double b_s) {
  return mode == ProcessingMode::roofline ? std::max(a_s, b_s) : a_s + b_s;
}

/// The part of a measured time that the engine or memory may have: all of it, or what the other leaves.
double share_of(ProcessingMode mode, double measured_s, double other_s) {
  return mode == ProcessingMode::roofline ? measured_s : std::max(measured_s - other_s, 0.0);
}

double bytes_of(const GemmPeaks& peaks, const fit::GemmShape& shape) {
  return peaks.element_bytes * shape.elements();
}

/// One of the two engines, as rows see it.
struct Table {
  std::map<int, std::vector<std::size_t>> rows_of_step;
  std::map<int, double> efficiency;
  std::vector<double> ideal_s;  // by row, at efficiency 1
  std::vector<int> step;        // by row

  void add(double amount, double per_s) {
    step.push_back(step_of(amount, steps_an_octave));
    rows_of_step[step.back()].push_back(ideal_s.size());
    ideal_s.push_back(amount / per_s);
  }
  double seconds(std::size_t row) const { return ideal_s[row] / efficiency.at(step[row]); }
};

struct Measured {
  ProcessingMode mode;
  std::vector<double> s;          // by row
  std::vector<std::size_t> pair;  // by row: which (n, k)
};

struct Tables {
  Table by_flop, by_bytes;
  Measured measured;

  Tables(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks) : measured{peaks.mode, {}, {}} {
    std::map<std::string, std::size_t> pairs;
    for (const fit::GemmRow& row : rows) {
      by_flop.add(row.shape.flop(), peaks.flop_per_s);
      by_bytes.add(bytes_of(peaks, row.shape), peaks.b_per_s);
      measured.s.push_back(row.time_us * 1e-6);
      measured.pair.push_back(pairs.try_emplace(row.pair(), pairs.size()).first->second);
    }
  }
};

double error_of(const Table& table, const Table& other, const Measured& measured, std::size_t row,
                double efficiency) {
  const double predicted_s = together(measured.mode, table.ideal_s[row] / efficiency, other.seconds(row));
  return std::abs(predicted_s / measured.s[row] - 1);
}

double error_of(const Table& table, const Table& other, const Measured& measured,
                const std::vector<std::size_t>& rows, double efficiency) {
  double sum = 0;
  for (const std::size_t row : rows) sum += error_of(table, other, measured, row, efficiency);
  return sum;
}

/// Quantiles of the efficiencies at which each of the rows would be right.
std::vector<double> reached(const Table& table, const Table& other, const Measured& measured,
                            const std::vector<std::size_t>& rows, std::size_t count, double most) {
  std::vector<double> all;
  for (const std::size_t row : rows)
    all.push_back(
        std::min(most, table.ideal_s[row] / share_of(measured.mode, measured.s[row], other.seconds(row))));
  std::ranges::sort(all);
  std::vector<double> quantiles;
  for (std::size_t i = 0; i < count; ++i) quantiles.push_back(all[i * (all.size() - 1) / (count - 1)]);
  return quantiles;
}

/// The best of what the rows of a step reached, and of what it has; true where that is another.
bool improve(Table& table, const Table& other, const Measured& measured) {
  bool changed = false;
  for (const auto& [step, rows] : table.rows_of_step) {
    double best = table.efficiency.at(step);
    double least = error_of(table, other, measured, rows, best);
    for (const double candidate : reached(table, other, measured, rows, candidates, 1)) {
      const double error = error_of(table, other, measured, rows, candidate);
      if (error >= least * (1 - 1e-9)) continue;
      std::tie(best, least, changed) = std::tuple(candidate, error, true);
    }
    table.efficiency[step] = best;
  }
  return changed;
}

void refuse_beyond_peak(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks) {
  double fastest = 0;
  for (const fit::GemmRow& row : rows) fastest = std::max(fastest, row.shape.flop() / (row.time_us * 1e-6));
  if (fastest > peaks.flop_per_s)
    core::usage_error(
        fmt::format("{:.6g} TFLOP/s were measured, above the system's peak of {:g}: raise its tflops",
                    fastest * 1e-12, peaks.flop_per_s * 1e-12));
}

/// The table as one step of efficiency 1 around what it says of each row.
Table as_one_step(const Table& table) {
  Table one;
  for (std::size_t row = 0; row < table.ideal_s.size(); ++row) {
    one.ideal_s.push_back(table.seconds(row));
    one.rows_of_step[0].push_back(row);
  }
  one.step.assign(table.ideal_s.size(), 0);
  one.efficiency[0] = 1;
  return one;
}

/// True where both a higher and a lower efficiency would be further off.
bool felt(const Table& table, const Table& other, const Measured& measured,
          const std::vector<std::size_t>& rows, double efficiency) {
  const double now = error_of(table, other, measured, rows, efficiency) * (1 + 1e-3) + 1e-9;
  return error_of(table, other, measured, rows, 0.8 * efficiency) > now &&
         error_of(table, other, measured, rows, 1.25 * efficiency) > now;
}

/// The errors of each candidate, summed over the rows of each pair: [pair][candidate].
std::vector<std::vector<double>> errors_by_pair(const Table& table, const Table& other,
                                                const Measured& measured,
                                                const std::vector<std::size_t>& rows,
                                                const std::vector<double>& efficiencies) {
  std::map<std::size_t, std::vector<double>> errors;
  for (const std::size_t row : rows) {
    std::vector<double>& sums = errors[measured.pair[row]];
    sums.resize(efficiencies.size());
    for (std::size_t i = 0; i < efficiencies.size(); ++i)
      sums[i] += error_of(table, other, measured, row, efficiencies[i]);
  }
  std::vector<std::vector<double>> found;
  for (auto& [pair, sums] : errors) found.push_back(std::move(sums));
  return found;
}

/// Bounds of a step's efficiency, where pairs are drawn again and again and the best efficiency is taken each
/// time.
std::optional<Bounds> bounds_of(const Table& table, const Table& other, const Measured& measured, int step,
                                double most, std::mt19937_64& random) {
  const std::vector<std::size_t>& rows = table.rows_of_step.at(step);
  const double now = table.efficiency.at(step);
  if (!felt(table, other, measured, rows, now)) return std::nullopt;
  const std::vector<double> efficiencies = reached(table, other, measured, rows, candidates_of_bounds, most);
  const auto errors = errors_by_pair(table, other, measured, rows, efficiencies);
  if (errors.size() < fewest_pairs_of_bounds) return std::nullopt;
  std::vector<double> best;
  for (int replicate = 0; replicate < replicates; ++replicate) {
    std::vector<double> sums(efficiencies.size());
    for (std::size_t drawn = 0; drawn < errors.size(); ++drawn)
      std::ranges::transform(sums, errors[random() % errors.size()], sums.begin(), std::plus());
    best.push_back(efficiencies[static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin())]);
  }
  return Bounds{std::min(now, core::quantile_of(best, 0.025)), std::max(now, core::quantile_of(best, 0.975))};
}

/// Adds bounds to each step, where the steps lie as steps_of() lays them, and returns those of all of them
/// together.
std::optional<Bounds> add_bounds(EfficiencySteps& steps, const Table& table, const Table& other,
                                 const Measured& measured, std::mt19937_64& random) {
  auto place = steps.rbegin();
  for (const auto& [step, unused] : table.efficiency)
    (place++)->bounds = bounds_of(table, other, measured, step, 1, random);
  constexpr double no_peak = 10;
  return bounds_of(as_one_step(table), other, measured, 0, no_peak, random);
}

}  // namespace

std::string to_string(ProcessingMode mode) {
  return mode == ProcessingMode::roofline ? "roofline" : "no_overlap";
}

int step_of(double amount, double steps_an_octave) {
  return static_cast<int>(std::floor(std::log2(amount) * steps_an_octave));
}

double threshold_of(int step, double steps_an_octave) { return std::exp2(step / steps_an_octave); }

EfficiencySteps steps_of(const std::map<int, double>& efficiency, double steps_an_octave) {
  EfficiencySteps steps;
  for (const auto& [step, reached] : efficiency)
    steps.push_back({threshold_of(step, steps_an_octave), reached});
  steps.front().threshold = 0;
  std::ranges::reverse(steps);
  return steps;
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
  Tables tables(rows, peaks);
  auto& [by_flop, by_bytes, measured] = tables;
  for (const auto& [step, unused] : by_flop.rows_of_step) by_flop.efficiency[step] = 1;
  for (const auto& [step, unused] : by_bytes.rows_of_step)
    by_bytes.efficiency[step] = efficiency_at(peaks.by_bytes, threshold_of(step));
  for (int round = 0; round < most_rounds; ++round) {
    const bool flop_changed = improve(by_flop, by_bytes, measured);
    if (!improve(by_bytes, by_flop, measured) && !flop_changed) break;
  }
  return {steps_of(by_flop.efficiency, steps_an_octave), steps_of(by_bytes.efficiency, steps_an_octave)};
}

void add_bounds(GemmStaircases& staircases, const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks,
                std::uint64_t seed) {
  Tables tables(rows, peaks);
  auto& [by_flop, by_bytes, measured] = tables;
  for (const auto& [step, unused] : by_flop.rows_of_step)
    by_flop.efficiency[step] = efficiency_at(staircases.by_flop, threshold_of(step));
  for (const auto& [step, unused] : by_bytes.rows_of_step)
    by_bytes.efficiency[step] = efficiency_at(staircases.by_bytes, threshold_of(step));
  std::mt19937_64 random(seed);
  staircases.flop_factor = add_bounds(staircases.by_flop, by_flop, by_bytes, measured, random);
  staircases.bytes_factor = add_bounds(staircases.by_bytes, by_bytes, by_flop, measured, random);
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
