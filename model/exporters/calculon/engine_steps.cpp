// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/engine_steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/core/statistics/statistics.hpp"

namespace assay::model::calculon {
namespace {

using Amount = double EngineRow::*;

std::map<int, std::vector<EngineRow>> by_step(const std::vector<EngineRow>& rows, Amount amount,
                                              double steps_an_octave) {
  std::map<int, std::vector<EngineRow>> steps;
  for (const EngineRow& row : rows) steps[step_of(row.*amount, steps_an_octave)].push_back(row);
  return steps;
}

double error_at(const std::vector<EngineRow>& rows, double efficiency, double peak,
                const PeakAndSteps& memory) {
  double sum = 0;
  for (const EngineRow& row : rows) {
    const double memory_s = row.bytes / (memory.peak_per_s * efficiency_at(memory.steps, row.bytes));
    sum += std::abs(std::max(row.flop / (peak * efficiency), memory_s) / row.s - 1);
  }
  return sum;
}

/// At most 1: the peak is the fastest row, but for rounding.
double best_efficiency(const std::vector<EngineRow>& rows, double peak, const PeakAndSteps& memory) {
  double best = 1, least = error_at(rows, 1, peak, memory);
  for (const EngineRow& row : rows) {
    const double reached = std::min(1.0, row.flop / (row.s * peak));
    const double error = error_at(rows, reached, peak, memory);
    if (error >= least) continue;
    best = reached;
    least = error;
  }
  return best;
}

}  // namespace

PeakAndSteps memory_steps(const std::vector<EngineRow>& rows) {
  constexpr double steps_an_octave = 1;
  std::map<int, double> rate;
  double peak = 0;
  for (const auto& [step, own] : by_step(rows, &EngineRow::bytes, steps_an_octave)) {
    std::vector<double> rates;
    for (const EngineRow& row : own) rates.push_back(row.bytes / row.s);
    rate[step] = core::quantile_of(rates, 0.5);
    peak = std::max(peak, rate[step]);
  }
  for (auto& [step, value] : rate) value /= peak;
  return {peak, steps_of(rate, steps_an_octave)};
}

PeakAndSteps engine_steps(const std::vector<EngineRow>& rows, const PeakAndSteps& memory) {
  constexpr double steps_an_octave = 2;
  double peak = 0;
  for (const EngineRow& row : rows) peak = std::max(peak, row.flop / row.s);
  std::map<int, double> efficiency;
  for (const auto& [step, own] : by_step(rows, &EngineRow::flop, steps_an_octave))
    efficiency[step] = best_efficiency(own, peak, memory);
  return {peak, steps_of(efficiency, steps_an_octave)};
}

}  // namespace assay::model::calculon
