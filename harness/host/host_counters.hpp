// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's counters over the sampling: context switches, page faults, stolen time, other processes, CPU
// clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::host {

/// Machine-wide CPU time since boot, summed over CPUs.
struct CpuTime {
  double busy_s = 0;   // user, nice, system, interrupts
  double steal_s = 0;  // wanted by this machine, given by the hypervisor to another
};

/// Empty where `root`/proc/stat cannot be read.
std::optional<CpuTime> read_cpu_time(const std::string& root = "");

/// Clock of one CPU: what cpufreq says, else /proc/cpuinfo; empty where neither reports it.
std::optional<double> read_cpu_mhz(int cpu, const std::string& root = "");

class HostCounters {
 public:
  void begin();
  void end();
  /// Differences over the window, e.g. ("involuntary_context_switches", 2), ("steal_s", 0.01), and the clock
  /// of the calling thread's CPU at both ends. What could not be read is left out.
  std::vector<core::Fact> facts() const;

 private:
  struct Reading {
    long voluntary_switches = 0, involuntary_switches = 0, major_faults = 0, minor_faults = 0;
    double process_cpu_s = 0;
    std::optional<CpuTime> machine;
    std::optional<double> cpu_mhz;
  };
  static Reading read();
  Reading before_, after_;
};

}  // namespace assay::host
