// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When to stop waiting for completions: no clock is read while they come.
#pragma once

#include "harness/core/seconds_since.hpp"

namespace assay::rdma {

inline constexpr double stall_limit_s = 5;  // without a single completion; retries of 67 ms end long before

/// For ranks that are timed longer than this one; and for them to notice that this one has failed.
inline constexpr double others_limit_s = 30, others_limit_after_failure_s = 2 * stall_limit_s;

/// How often a rank that has nothing to do looks after its team, and one that sleeps on events wakes up.
inline constexpr double team_look_s = 0.05, wake_up_period_s = 0.005;

using core::steady_seconds;

class Patience {
 public:
  explicit Patience(double limit_s = stall_limit_s) : limit_s_(limit_s) {}

  void begin() {
    idle_ = 0;
    last_s_ = steady_seconds();
    progressed_ = false;
  }
  void progressed() { progressed_ = true; }

  /// Called when there was nothing to do; true once nothing has come for the limit. `slept`: the caller has
  /// slept since, so the clock is worth a look.
  bool ended(bool slept) {
    constexpr unsigned between_looks = 1U << 14U;
    if (!slept && ++idle_ % between_looks != 0) return false;
    const double now = steady_seconds();
    if (progressed_) last_s_ = now;
    progressed_ = false;
    return now - last_s_ > limit_s_;
  }

 private:
  double limit_s_, last_s_ = 0;
  unsigned idle_ = 0;
  bool progressed_ = false;
};

}  // namespace assay::rdma
