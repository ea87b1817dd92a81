// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The promise of the stopping rule: over many runs of the whole loop, the stated 95 % interval of the median
// covers the true median 93 to 97 % of the time, on independent, correlated, drifting, bimodal, heavy-tailed
// and recorded streams.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <random>

#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/fake_trial.hpp"

namespace assay::core::tests {
namespace {

using Random = std::mt19937_64;
/// Makes one stream: a function that yields seconds. A new one per run.
using MakeStream = std::function<std::function<double()>(Random&)>;

struct Stream {
  const char* name;
  double true_median;
  MakeStream make;
};

double normal(Random& random) { return std::normal_distribution<double>()(random); }
double uniform(Random& random) { return std::uniform_real_distribution<double>()(random); }

double standard_normal_quantile_of_mixture(double weight, double low, double high, double spread) {
  double a = low - 5 * spread, b = high + 5 * spread;
  const auto cdf = [&](double x, double mean) {
    return 0.5 * std::erfc((mean - x) / (spread * std::sqrt(2.0)));
  };
  for (int i = 0; i < 100; ++i) {
    const double middle = (a + b) / 2;
    (weight * cdf(middle, low) + (1 - weight) * cdf(middle, high) < 0.5 ? a : b) = middle;
  }
  return a;
}

Stream stationary() {
  return {"stationary", 1e-3,
          [](Random& random) { return [&random] { return 1e-3 * (1 + 0.05 * normal(random)); }; }};
}

Stream correlated() {
  return {"correlated", 1e-3, [](Random& random) {
            return [&random, state = normal(random)]() mutable {
              state = 0.6 * state + 0.8 * normal(random);
              return 1e-3 * (1 + 0.05 * state);
            };
          }};
}

/// A machine that warms up: 30 % slow at first, settling within some hundred iterations.
Stream drifting() {
  return {"drifting", 1e-3, [](Random& random) {
            return [&random, i = 0]() mutable {
              return 1e-3 * (1 + 0.3 * std::exp(-i++ / 60.0) + 0.05 * normal(random));
            };
          }};
}

Stream bimodal() {
  const double median = standard_normal_quantile_of_mixture(0.7, 1.0, 1.3, 0.03);
  return {"bimodal", 1e-3 * median, [](Random& random) {
            return [&random] { return 1e-3 * ((uniform(random) < 0.7 ? 1.0 : 1.3) + 0.03 * normal(random)); };
          }};
}

/// Pareto with an infinite variance: a mean would never settle.
Stream heavy_tailed() {
  return {"heavy-tailed", 1e-3 * std::pow(0.5, -1 / 1.5), [](Random& random) {
            return [&random] { return 1e-3 * std::pow(1 - uniform(random), -1 / 1.5); };
          }};
}

std::vector<double> recorded_samples() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/harness/core/tests/data/host_triad_samples.txt");
  std::vector<double> samples;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') samples.push_back(std::stod(line));
  return samples;
}

/// Streams that behave like the recording: its own samples in random blocks (the stationary bootstrap of
/// Politis and Romano, 1994), so that the true median is the recording's.
Stream recorded() {
  const auto samples = std::make_shared<std::vector<double>>(recorded_samples());
  return {"recorded", quantile_of(*samples, 0.5), [samples](Random& random) {
            return [&random, samples, at = std::size_t{0}, left = 0]() mutable {
              if (left == 0) {
                at = std::uniform_int_distribution<std::size_t>(0, samples->size() - 1)(random);
                left = 1 + std::geometric_distribution<int>(1.0 / 20)(random);
              }
              --left;
              at = (at + 1) % samples->size();
              return (*samples)[at];
            };
          }};
}

struct Coverage {
  double share = 0;
  double by_interval = 0;
};

Coverage coverage_of(const Stream& stream) {
  constexpr int runs = 2000;
  const MeasureOptions options{.relative_width = 0.02,
                               .max_seconds = 4,
                               .max_warmup_seconds = 2,
                               .min_sample_seconds = 0,
                               .min_samples = 30};
  const std::atomic<bool> interrupted{false};
  Random random(20261121);
  int covered = 0, by_interval = 0;
  for (int run = 0; run < runs; ++run) {
    ScriptedClock clock;
    FakeTrial trial(clock, stream.make(random));
    const Measurement measurement = measure(trial, options, clock, interrupted);
    covered +=
        measurement.interval.lower <= stream.true_median && stream.true_median <= measurement.interval.upper;
    by_interval += measurement.stop == StopReason::interval;
  }
  return {static_cast<double>(covered) / runs, static_cast<double>(by_interval) / runs};
}

class IntervalCoverage : public testing::TestWithParam<Stream (*)()> {};

TEST_P(IntervalCoverage, IsBetween93And97PerCent) {
  const Stream stream = GetParam()();
  const Coverage coverage = coverage_of(stream);
  RecordProperty("covered", std::to_string(coverage.share));
  std::printf("%s: covered %.3f, stopped by the interval %.3f\n", stream.name, coverage.share,
              coverage.by_interval);
  EXPECT_GE(coverage.share, 0.93) << stream.name;
  EXPECT_LE(coverage.share, 0.97) << stream.name;
}

INSTANTIATE_TEST_SUITE_P(Streams, IntervalCoverage,
                         testing::Values(stationary, correlated, drifting, bimodal, heavy_tailed, recorded),
                         [](const auto& stream) {
                           std::string name = stream.param().name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace assay::core::tests
