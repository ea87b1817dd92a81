// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one measuring loop: cold first operation, calibration, warm-up until stationary, sampling until the
// stopping rule is satisfied, verification.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/clock.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::core {

/// The most that a plan may ask for.
struct MeasureLimits {
  static constexpr double seconds = 604'800;  // a week
  static constexpr std::int64_t samples = 100'000'000;
  static constexpr std::int64_t repetitions = 1'000'000;
};

struct MeasureOptions {
  double quantile = 0.5;  // the quantile that is reported and that sampling stops on
  double confidence = 0.95;
  double relative_width = 0.02;  // stop when (upper - lower) / estimate is at most this
  double max_seconds = 1.0;      // sampling budget
  double max_warmup_seconds = 0.5;
  double min_sample_seconds = 100e-6;  // iterations are batched until one sample takes this long
  std::int64_t min_samples = 30;
  std::int64_t max_samples = 100'000;
};
/// [measure] of plans.
constexpr auto fields_of(Type<MeasureOptions>) {
  constexpr Terms fraction{
      .lowest = 0, .highest = 1, .excludes_lowest = true, .excludes_highest = true, .may_be_absent = true};
  constexpr Terms seconds{
      .lowest = 0, .highest = MeasureLimits::seconds, .excludes_lowest = true, .may_be_absent = true};
  constexpr Terms count{.lowest = 1, .highest = MeasureLimits::samples, .may_be_absent = true};
  return std::tuple(Field<"quantile", &MeasureOptions::quantile>{fraction},
                    Field<"confidence", &MeasureOptions::confidence>{fraction},
                    Field<"relative_width", &MeasureOptions::relative_width>{above_zero.where_known()},
                    Field<"max_seconds", &MeasureOptions::max_seconds>{seconds},
                    Field<"max_warmup_seconds", &MeasureOptions::max_warmup_seconds>{seconds},
                    Field<"min_sample_seconds", &MeasureOptions::min_sample_seconds>{seconds},
                    Field<"min_samples", &MeasureOptions::min_samples>{count},
                    Field<"max_samples", &MeasureOptions::max_samples>{count});
}

enum class StopReason { interval, budget, samples, interrupted };
std::string to_string(StopReason reason);

struct Warmup {
  double seconds = 0;
  std::int64_t samples = 0;
  bool stationary = false;       // false: the warm-up budget ended first
  std::string last_moving = {};  // which signal still moved then ("time", "sm_clock_mhz")
};

struct Measurement {
  std::vector<double> samples_s = {};  // seconds per iteration, in order
  std::vector<double> sm_cycles = {};  // per iteration; empty off the GPU
  std::int64_t iterations_per_sample = 1;
  double cold_first_s = 0;  // the very first operation, its own metric
  Warmup warmup = {};
  QuantileInterval interval = {};  // of `quantile`, seconds per iteration
  bool drifting = false;  // samples still trend: the interval describes the window, not a steady state
  StopReason stop = StopReason::samples;
  double elapsed_s = 0;
  Verification verification = {};
};

/// Called between two samples, after each look of the stopping rule, with what it found.
using Looked = std::function<void(const QuantileInterval&)>;

/// `interrupted` is polled between samples: when it turns true the sample in flight is finished and what was
/// measured is returned with StopReason::interrupted. Throws what the trial throws.
Measurement measure(Trial& trial, const MeasureOptions& options, Clock& clock,
                    const std::atomic<bool>& interrupted, const Looked& looked = {});

}  // namespace assay::core
