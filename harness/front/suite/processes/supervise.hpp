// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Watches a running module: passes interrupts on, and ends it when a point is silent for far longer than its
// budget.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/suite/processes/announcements.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::suite {

struct Watched {
  Ending ending;
  bool timed_out = false;
  bool given_up = false;       // it did not end when it was interrupted, and was killed
  bool asked_to_stop = false;  // by Watch::goes_on
  /// Whether rank 0 behind a launcher ended by itself, as its journal says; nothing where it did not begin.
  std::optional<bool> rank_0_ended = {};
  std::string launcher_said = {};  // its first line about a rank that ended badly
  bool any_point = false;
  Heartbeat in_flight;     // the latest point that had begun when the module ended, or was given up
  std::string started;     // of that point, ISO 8601 UTC
  double in_flight_s = 0;  // how long it had been running then
};

/// How a module is watched. Behind a launcher its rank 0 inherits no descriptor and may be on another
/// host: it announces points in a file, and the launcher is asked to end what it started before it is killed.
struct Watch {
  double slack_s = 60;
  double interrupted_s = 20;  // how long it may continue its point once it was interrupted
  bool behind_launcher = false;
  std::filesystem::path announcements_file{};  // behind a launcher: in a folder that rank 0 sees too
  int run_lock = -1;                           // the module holds it too: see RunLock
  /// Called when a point begins; where it returns false, the module is interrupted once. May be empty.
  std::function<bool(const Heartbeat&)> goes_on = {};
};

/// How a launcher is asked to end its ranks: see Child::kill_after.
inline constexpr double launcher_grace_s = 10;

/// `argv` without the flag for announcements, which is added here. `signals` counts the interrupts this
/// process got: the first is passed on, the second ends the module at once. A module is always ended within
/// the silence limit of its point; see Ending::left_behind for one that no signal ends.
Watched supervise(std::vector<std::string> argv, const Watch& watch, const std::atomic<int>& signals);

}  // namespace assay::suite
