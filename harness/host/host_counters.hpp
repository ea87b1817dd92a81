// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the kernel counted while sampling: context switches, page faults, stolen time, CPU clock.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"

namespace assay::host {

class HostCounters {
 public:
  void begin();
  void end();
  /// Differences over the window, e.g. ("involuntary_context_switches", 2), ("steal_s", 0.01),
  /// ("cpu_mhz_before", ...).
  std::vector<core::Fact> facts() const;

 private:
  struct Reading {
    long voluntary_switches = 0, involuntary_switches = 0, major_faults = 0, minor_faults = 0;
    double steal_s = 0, cpu_mhz = 0;
  };
  static Reading read();
  Reading before_, after_;
};

}  // namespace assay::host
