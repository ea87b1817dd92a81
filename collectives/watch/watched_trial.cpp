// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/watched_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "collectives/mpi/mpi_transport.hpp"
#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {
namespace {

// Forming a team and connecting all ranks have limits of their own, which name who is missing.
constexpr double prepare_limit_s = 600;

std::string late_text(const Diagnosis& diagnosis, double limit_s) {
  return fmt::format("no end within {}: {}", core::format_seconds(limit_s), diagnosis.text);
}

/// Throws a failed call's error again with what the other ranks did.
[[noreturn]] void rethrow_with_what_others_did(const core::Error& error, HangWatch& watch,
                                               const WatchOptions& options, double limit_s) {
  const bool lost = dynamic_cast<const team::PeerLost*>(&error) != nullptr;
  const bool poisons = error.poisons_process() || mpi_runs_here() || (lost && options.loss_is_final);
  if (const auto diagnosis = watch.diagnosis()) {
    core::TimedOut late(error.kind(), late_text(*diagnosis, limit_s), error.code());
    if (poisons) late.poison();
    throw late;
  }
  const std::string seen = watch.look().text;
  core::Error whole(error.kind(), seen.empty() ? error.what() : fmt::format("{}; {}", error.what(), seen),
                    error.code(), error.where());
  if (poisons) whole.poison();
  throw whole;
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
    rethrow_with_what_others_did(error, watch, options, limit_s);
  }
  if (const auto diagnosis = watch.diagnosis())
    throw core::TimedOut(core::ErrorKind::team, late_text(*diagnosis, limit_s));
}

/// A component of rank 0's trial: its calls of all ranks are watched.
class HangCondition final : public core::Condition {
 public:
  HangCondition(HangWatch& watch, const WatchOptions& options)
      : watch_(watch), options_(options), limit_(options.first_limit_s) {}

  void around(core::Step step, std::int64_t iterations, const std::function<void()>& call) override {
    if (step == core::Step::sampling_ends) return call();
    const double began = core::steady_seconds();
    guarded(watch_, options_, limit_.of(iterations), call);
    if (step == core::Step::run) limit_.took(iterations, core::steady_seconds() - began);
  }

 private:
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
      trial->attach(std::make_shared<HangCondition>(watch, options));
      return trial;
    };
  return led;
}

}  // namespace assay::collectives
