// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/warm_up.hpp"

#include <cmath>
#include <span>

#include "harness/core/stopping.hpp"

namespace assay::core {
namespace {

constexpr std::int64_t first_look = 16;
constexpr double settled_tolerance = 0.002;

bool still_moves(const std::vector<double>& series, double tolerance) {
  const std::size_t quarter = series.size() / 4;
  if (quarter < 2) return true;
  const std::span<const double> late = std::span(series).last(2 * quarter);
  const double before = quantile_of(late.first(quarter), 0.5);
  const double after = quantile_of(late.last(quarter), 0.5);
  if (std::fabs(after - before) <= tolerance * std::fabs(after)) return false;
  // Too few values to tell a trend from noise: call noise what the spread of the values themselves covers.
  if (late.size() < 16) {
    const Summary spread = summarize(late);
    return std::fabs(after - before) > 2 * spread.cv * std::fabs(spread.mean);
  }
  return halves_differ(late, 0.5);
}

}  // namespace

std::string Settling::moving(double tolerance) const {
  for (const auto& [name, values] : series_)
    if (still_moves(values, tolerance)) return name;
  return {};
}

Warmup warm_up(Trial& trial, std::int64_t iterations, const MeasureOptions& options, Clock& clock,
               const std::atomic<bool>& interrupted) {
  Warmup warmup{.last_moving = "time"};
  Settling settling;
  const double start = clock.seconds();
  for (std::int64_t next_look = first_look; !warmup.stationary && !interrupted;) {
    const Timing timing = trial.run(iterations);
    settling.add("time", timing.seconds / static_cast<double>(iterations));
    ++warmup.samples;
    warmup.seconds = clock.seconds() - start;
    const bool over = warmup.seconds >= options.max_warmup_seconds;
    if (warmup.samples < next_look && !over) continue;
    for (const Signal& signal : trial.signals()) settling.add(signal.name, signal.value);
    warmup.last_moving = settling.moving(settled_tolerance);
    warmup.stationary = warmup.last_moving.empty();
    if (over) break;
    next_look = warmup.samples + std::max<std::int64_t>(1, warmup.samples / 4);
  }
  return warmup;
}

}  // namespace assay::core
