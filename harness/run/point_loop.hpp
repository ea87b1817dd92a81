// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One planned point, from start to record. The one place where exceptions of a measurement are caught.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "harness/core/clock.hpp"
#include "harness/plan/plan.hpp"
#include "results/record.hpp"

namespace assay::run {

struct Measured {
  results::PointRecord record;
  bool process_poisoned = false;  // nothing more can be measured here
};

class PointLoop {
 public:
  /// `now` gives the calendar time records are stamped with; `goes_on` is called after each step of a point.
  PointLoop(
      std::string room, core::Clock& clock, std::function<std::string()> now,
      const std::atomic<bool>& interrupted, std::function<void()> goes_on = [] {})
      : room_(std::move(room)),
        clock_(clock),
        now_(std::move(now)),
        interrupted_(interrupted),
        goes_on_(std::move(goes_on)) {}

  /// Never throws for a failing measurement: the record says what happened.
  Measured run(const plan::PlannedPoint& planned) const;

 private:
  void measure_into(results::PointRecord& record, const plan::PlannedPoint& planned) const;

  std::string room_;
  core::Clock& clock_;
  std::function<std::string()> now_;
  const std::atomic<bool>& interrupted_;
  std::function<void()> goes_on_;
};

}  // namespace assay::run
