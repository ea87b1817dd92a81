// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// CPU seconds, user and system, that the processes of several ranks spend on what is measured. What the
// kernel does in threads and interrupts of its own is not in them.
#pragma once

#include <optional>

#include "harness/core/measure/report.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

/// CPU seconds of this process so far.
double cpu_seconds();

class CpuTime {
 public:
  void begins() { begun_s_ = cpu_seconds(); }
  void ends() { spent_s_ = cpu_seconds() - begun_s_; }

  /// Every rank calls it. At rank 0 the seconds of all processes of ranks that take part, each process once;
  /// elsewhere 0.
  double gathered_s(Team& team, bool takes_part) const;

 private:
  double begun_s_ = 0, spent_s_ = 0;
};

/// For records.
inline constexpr const char* cpu_counts =
    "user and system time of the processes at both ends, once a process";

/// "cpu_s_per_gb"; nothing where no bytes moved.
std::optional<core::Metric> cpu_metric(double cpu_s, double bytes);

}  // namespace assay::team
