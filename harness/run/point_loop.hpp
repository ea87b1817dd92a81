// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One planned point, from start to record. The one place where exceptions of a measurement are caught.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "harness/core/measure/clock.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/journal/absences.hpp"
#include "results/record/record.hpp"

namespace assay::run {

struct Measured {
  results::PointRecord record;
  bool process_poisoned = false;  // nothing more can be measured here
  bool left_out = false;          // this machine or build is without what the point needs
  std::optional<double> cpu_s{};  // of this process, for one iteration while sampling
};

class PointLoop {
 public:
  /// `now` gives the calendar time records are stamped with; `still_runs` is called after each step of a
  /// point; `looked` whenever the stopping rule has looked at its samples.
  PointLoop(
      std::string module, core::Clock& clock, std::function<std::string()> now,
      const std::atomic<bool>& interrupted, std::function<void()> still_runs = [] {}, Absences absent = {},
      std::function<void(const plan::PlannedPoint&, const core::QuantileInterval&)> looked = {})
      : module_(std::move(module)),
        clock_(clock),
        now_(std::move(now)),
        interrupted_(interrupted),
        still_runs_(std::move(still_runs)),
        absent_(std::move(absent)),
        looked_(std::move(looked)) {}

  /// Never throws for a failing measurement: the record says what happened.
  Measured run(const plan::PlannedPoint& planned) const;

 private:
  void measure_into(Measured& measured, const plan::PlannedPoint& planned) const;

  std::string module_;
  core::Clock& clock_;
  std::function<std::string()> now_;
  const std::atomic<bool>& interrupted_;
  std::function<void()> still_runs_;
  Absences absent_;
  std::function<void(const plan::PlannedPoint&, const core::QuantileInterval&)> looked_;
};

}  // namespace assay::run
