// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/measure.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/measure/stopping.hpp"
#include "harness/core/measure/warm_up.hpp"

namespace assay::core {
namespace {

/// Iterations per sample, so that one sample lasts at least `min_sample_seconds`.
std::int64_t calibrate(Trial& trial, const MeasureOptions& options, const std::atomic<bool>& interrupted) {
  constexpr std::int64_t most = 1 << 24;
  std::int64_t iterations = 1;
  while (!interrupted) {
    const double seconds = trial.run(iterations).seconds;
    if (seconds >= options.min_sample_seconds || iterations >= most) break;
    const double wanted = 1.2 * options.min_sample_seconds / std::max(seconds, 1e-9);
    // A first estimate can be far off; grow by at most ten at a time.
    iterations =
        std::clamp(static_cast<std::int64_t>(static_cast<double>(iterations) * std::min(wanted, 10.0)),
                   iterations + 1, most);
  }
  return iterations;
}

/// The sampling phase: owns the samples and the rule while they grow.
class Sampling {
 public:
  Sampling(Trial& trial, const MeasureOptions& options, Clock& clock, const Looked& looked, Measurement& into)
      : trial_(trial),
        options_(options),
        clock_(clock),
        looked_(looked),
        rule_(options, into.warmup),
        into_(into),
        iterations_(into.iterations_per_sample),
        start_(clock.seconds()) {
    into_.samples_s.reserve(4096);
  }

  void run(const std::atomic<bool>& interrupted) {
    for (;;) {
      take_one();
      const double elapsed = clock_.seconds() - start_;
      if (!interrupted && !rule_.due(count(), elapsed)) continue;
      const auto reason = rule_.look(into_.samples_s, elapsed);
      if (looked_) looked_(rule_.interval());
      if (interrupted) return finish(StopReason::interrupted);
      if (reason) return finish(*reason);
    }
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(into_.samples_s.size()); }

  void take_one() {
    const Timing timing = trial_.run(iterations_);
    const auto iterations = static_cast<double>(iterations_);
    if (timing.each_s.empty()) {
      into_.samples_s.push_back(timing.seconds / iterations);
    } else {
      into_.samples_s.insert(into_.samples_s.end(), timing.each_s.begin(), timing.each_s.end());
      into_.iterations_per_sample = 1;
    }
    if (!std::isnan(timing.sm_cycles)) into_.sm_cycles.push_back(timing.sm_cycles / iterations);
  }

  void finish(StopReason reason) {
    into_.interval = rule_.interval();
    into_.drifting = drifts(into_.samples_s, options_.quantile);
    into_.stop = reason;
  }

  Trial& trial_;
  const MeasureOptions& options_;
  Clock& clock_;
  const Looked& looked_;
  StoppingRule rule_;
  Measurement& into_;
  std::int64_t iterations_;  // of one call of the trial
  double start_;
};

}  // namespace

std::string to_string(StopReason reason) {
  switch (reason) {
    case StopReason::interval:
      return "interval";
    case StopReason::budget:
      return "budget";
    case StopReason::samples:
      return "samples";
    case StopReason::interrupted:
      return "interrupted";
  }
  return "unknown";
}

Measurement measure(Trial& trial, const MeasureOptions& options, Clock& clock,
                    const std::atomic<bool>& interrupted, const Looked& looked) {
  Measurement measurement;
  const double start = clock.seconds();
  const Timing cold = trial.run(1);
  measurement.cold_first_s = cold.each_s.empty() ? cold.seconds : cold.each_s.front();
  measurement.iterations_per_sample = calibrate(trial, options, interrupted);
  measurement.warmup = warm_up(trial, measurement.iterations_per_sample, options, clock, interrupted);
  trial.sampling_begins();
  Sampling(trial, options, clock, looked, measurement).run(interrupted);
  trial.sampling_ends();
  measurement.verification = trial.verify();
  measurement.elapsed_s = clock.seconds() - start;
  return measurement;
}

}  // namespace assay::core
