// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/watched_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "collectives/measure/clock_offset.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {
namespace {

// Forming a team and connecting all ranks have limits of their own, which name who is missing.
constexpr double prepare_limit_s = 600;

std::string late_text(const Diagnosis& diagnosis, double limit_s) {
  return fmt::format("no end within {}: {}", core::format_seconds(limit_s), diagnosis.text);
}

/// What a failed call says beyond its own words.
[[noreturn]] void tell(const core::Error& error, HangWatch& watch, const WatchOptions& options,
                       double limit_s) {
  const bool lost = dynamic_cast<const team::PeerLost*>(&error) != nullptr;
  const bool poisons = error.poisons_process() || mpi_runs_here() || (lost && options.loss_is_final);
  if (const auto diagnosis = watch.diagnosis()) {
    core::TimedOut late(error.kind(), late_text(*diagnosis, limit_s), error.code());
    if (poisons) late.poison();
    throw late;
  }
  const std::string seen = watch.look().text;
  core::Error told(error.kind(), seen.empty() ? error.what() : fmt::format("{}; {}", error.what(), seen),
                   error.code(), error.where());
  if (poisons) told.poison();
  throw told;
}

/// The watch over one call of all ranks.
class Watching {
 public:
  Watching(HangWatch& watch, double limit_s) : watch_(watch) { watch_.begins(limit_s); }
  ~Watching() { watch_.ends(); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  HangWatch& watch_;
};

/// Throws what `call` throws with the diagnosis; TimedOut also where it came back after its limit.
void guarded(HangWatch& watch, const WatchOptions& options, double limit_s,
             const std::function<void()>& call) {
  try {
    const Watching watching(watch, limit_s);
    call();
  } catch (const core::Unsupported&) {
    throw;
  } catch (const core::Error& error) {
    if (error.kind() == core::ErrorKind::usage) throw;
    tell(error, watch, options, limit_s);
  }
  if (const auto diagnosis = watch.diagnosis())
    throw core::TimedOut(core::ErrorKind::team, late_text(*diagnosis, limit_s));
}

class WatchedTrial final : public core::Trial {
 public:
  WatchedTrial(std::unique_ptr<core::Trial> beneath, HangWatch& watch, const WatchOptions& options)
      : beneath_(std::move(beneath)), watch_(watch), options_(options), limit_(options.first_limit_s) {}

  core::Timing run(std::int64_t iterations) override {
    core::Timing timing;
    const double began = monotonic_s();
    guard(iterations, [&] { timing = beneath_->run(iterations); });
    limit_.took(iterations, monotonic_s() - began);
    return timing;
  }
  core::Verification verify() override {
    core::Verification verification;
    guard(1, [&] { verification = beneath_->verify(); });
    return verification;
  }
  std::vector<core::Signal> signals() override { return beneath_->signals(); }
  void sampling_begins() override {
    guard(1, [&] { beneath_->sampling_begins(); });
  }
  void sampling_ends() override { beneath_->sampling_ends(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    std::vector<core::Metric> metrics;
    guard(1, [&] { metrics = beneath_->metrics(measurement); });
    return metrics;
  }
  std::vector<core::Fact> facts() override { return beneath_->facts(); }

 private:
  void guard(std::int64_t iterations, const std::function<void()>& call) {
    guarded(watch_, options_, limit_.of(iterations), call);
  }

  std::unique_ptr<core::Trial> beneath_;
  HangWatch& watch_;
  const WatchOptions& options_;
  AdaptiveLimit limit_;
};

}  // namespace

double AdaptiveLimit::of(std::int64_t iterations) const {
  if (slowest_s_ == 0) return first_s_;
  return std::max(first_s_ / 3, 10 * slowest_s_ * static_cast<double>(iterations));
}

void AdaptiveLimit::took(std::int64_t iterations, double seconds) {
  slowest_s_ = std::max(slowest_s_, seconds / static_cast<double>(std::max<std::int64_t>(iterations, 1)));
}

std::vector<core::Case> watched(std::vector<core::Case> led, HangWatch& watch, const WatchOptions& options) {
  for (core::Case& benchmark : led)
    benchmark.prepare = [prepare = std::move(benchmark.prepare), &watch, &options](const core::Point& point) {
      std::unique_ptr<core::Trial> trial;
      watch.set_places({});  // those of the point before are no more
      guarded(watch, options, prepare_limit_s, [&] { trial = prepare(point); });
      return std::make_unique<WatchedTrial>(std::move(trial), watch, options);
    };
  return led;
}

}  // namespace assay::collectives
