// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The two watchers of a burn-in, each in its own process, so that a driver that hangs costs its readings and
// not the burn-in: one health check, and readings until they are stopped.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "harness/front/health/finding.hpp"

namespace assay::cli {

/// Flags as `assay check` has them.
struct LookFlags {
  std::string logbook, expect;
  std::vector<std::string> without;
};

/// A usage Error for an expectation or a logbook that cannot be read, and for a check that does not exist.
void refuse_bad_look(const LookFlags& flags);

/// The flags that make a process of this program call look_once().
std::vector<std::string> look_words(const LookFlags& flags);
/// One check of this node; prints a timeline's line for each finding.
int look_once(const LookFlags& flags);
/// Runs this command and reads what it printed. Throws core::Error(system) where it gives no answer; no
/// findings where it gave none within a while of an interrupt, which `signals` counts.
std::vector<health::Finding> findings_of(const std::vector<std::string>& command, double limit_s,
                                         const std::atomic<int>& signals);

struct SampleFlags {
  std::string into;   // timeline
  double from_s = 0;  // of the burn-in so far
  double every_s = 10;
};

std::vector<std::string> sample_words(const SampleFlags& flags);
/// Until SIGINT or SIGTERM; then reads once more.
int sample_until_stopped(const SampleFlags& flags);

}  // namespace assay::cli
