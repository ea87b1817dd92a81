// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/warm_up.hpp"

#include <cmath>
#include <span>

#include "harness/core/measure/stopping.hpp"

namespace assay::core {
namespace {

constexpr std::int64_t first_look = 48;
// A slow trend passes one look by chance; over twice the samples it stands out.
constexpr int looks_that_agree = 2;
constexpr double coarse_tolerance = 0.02;    // with few values, a trend looks like noise
constexpr double between_readings_s = 0.02;  // NVML refreshes clocks and power about that often
constexpr double settled_tolerance = 0.002;

// The first quarter is forgotten: it is where the transient is. What is left is halved; comparing long halves
// finds a slow decay that two short neighbouring windows would not show.
bool still_moves(const std::vector<double>& series, double tolerance) {
  const std::size_t half = series.size() * 3 / 8;
  if (half < 1) return true;
  const std::span<const double> late = std::span(series).last(2 * half);
  const double before = quantile_of(late.first(half), 0.5);
  const double after = quantile_of(late.last(half), 0.5);
  if (std::fabs(after - before) <= tolerance * std::fabs(after)) return false;
  // A decay makes neighbours alike; allowing for autocorrelation here would excuse the very trend looked for.
  if (half >= fewest_to_compare)
    return trend_of(independent_quantile_interval(late.first(half), 0.5, 0.95),
                    independent_quantile_interval(late.last(half), 0.5, 0.95)) > suspected_trend;
  return std::fabs(after - before) > coarse_tolerance * std::fabs(after);
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
  std::vector<double>& times = settling.series("time");
  const double start = clock.seconds();
  double next_reading = 0;
  int settled_looks = 0;
  for (std::int64_t next_look = first_look; !warmup.stationary && !interrupted;) {
    const Timing timing = trial.run(iterations);
    times.push_back(timing.seconds / static_cast<double>(iterations));
    ++warmup.samples;
    warmup.seconds = clock.seconds() - start;
    if (warmup.seconds >= next_reading) {
      for (const Signal& signal : trial.signals()) settling.series(signal.name).push_back(signal.value);
      next_reading = warmup.seconds + between_readings_s;
    }
    const bool over = warmup.seconds >= options.max_warmup_seconds;
    if (warmup.samples < next_look && !over) continue;
    warmup.last_moving = settling.moving(settled_tolerance);
    settled_looks = warmup.last_moving.empty() ? settled_looks + 1 : 0;
    warmup.stationary = settled_looks == looks_that_agree;
    if (over) break;
    next_look = 2 * warmup.samples;
  }
  return warmup;
}

}  // namespace assay::core
