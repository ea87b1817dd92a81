// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Watches a running room: passes interrupts on, and ends it when a point takes far longer than its budget.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/suite/child.hpp"

namespace assay::suite {

/// The start of a point, as the room announces it: "0.700 0 memory.host.copy bytes=64,threads=1".
struct Heartbeat {
  double budget_s = 0;
  std::int64_t repetition = 0;
  std::string case_name, key;
};
/// Throws core::Error(system) on a line that is none.
Heartbeat parse_heartbeat(const std::string& line);

/// How long a point may be silent: `slack_s` (for preparing, first touch, loading libraries) and five
/// budgets.
double silence_limit_s(const Heartbeat& beat, double slack_s);

struct Watched {
  Ending ending;
  bool timed_out = false;
  bool any_point = false;
  Heartbeat in_flight;     // the point that was running when the room ended
  std::string started;     // of that point, ISO 8601 UTC
  double in_flight_s = 0;  // how long it had been running then
};

/// `argv` without the heartbeat flag, which is added here. `signals` counts the interrupts this process got:
/// the first is passed on, the second ends the room at once. `launch` stands before argv: a launcher, which
/// does not hand descriptors down, so that rank 0, on this host, finds the way to this process by its name.
Watched supervise(std::vector<std::string> argv, double slack_s, const std::atomic<int>& signals,
                  const std::vector<std::string>& launch = {});

}  // namespace assay::suite
