// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One module from its first start until its points are done: counted, supervised, and started again after a
// crash.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/suite/processes/announcements.hpp"
#include "harness/front/suite/processes/launcher.hpp"
#include "harness/front/suite/processes/modules.hpp"
#include "harness/machine/left_out.hpp"
#include "results/record/record.hpp"

namespace assay::suite {

/// Inputs of every start of a module.
struct ModuleRequest {
  ModuleProgram module;
  std::string run_id;
  std::filesystem::path journal;
  std::vector<std::string> flags;  // --plan, --filter, --axis
  bool resume = false;             // the journal may hold points already
  std::string only = {};           // with resume: see RunOptions
  double slack_s = 60;
  double interrupted_s = 20;  // see Watch
  Launcher launcher = {};     // of modules that take ranks
  int run_lock = -1;          // see RunLock
  /// Called when a point begins; where it returns false, the module ends as if interrupted. May be empty.
  std::function<bool(const Heartbeat&)> goes_on = {};
};

/// The module's own arguments, whoever starts it. A launcher's ranks may run elsewhere: the journal's path is
/// whole.
std::vector<std::string> module_words(const ModuleRequest& request);

/// Points a module still has to do, and how long their budgets are.
struct ModuleShare {
  long points = 0, planned = 0;
  double budget_s = 0;
  std::vector<std::string> axes = {};  // that any of its points has
  int exit_code_so_far = 0;            // of the points already in the journal
  machine::LeftOut left_out = {};      // of `planned`: hardware or a component is absent
  long left_out_ahead = 0;             // of `points`
  std::vector<std::string> gone = {};  // of ModuleRequest::only: not in the plan

  /// No point of the module can run here.
  bool is_left_out() const { return planned == machine::points_of(left_out); }
};

struct PlaceInRun {
  long before = 0, total = 0;
  double budget_after_s = 0;
};

/// Asks the module; empty when interrupted. Throws a usage Error without text when it refuses the plan (it
/// has then said why itself), a system Error when it cannot answer.
std::optional<ModuleShare> count_points(const ModuleRequest& request, bool retry_failed,
                                        const std::atomic<int>& signals);

/// Appends a point that no module wrote itself, under the process that started last. Throws
/// std::system_error.
void write_beside_module(const std::filesystem::path& journal, results::PointRecord record);

struct ModuleEnd {
  int exit_code = 0;             // the worst of its starts
  long left = 0;                 // points without a record
  std::string left_behind = {};  // a process that nothing could end, see Ending
};

/// A point that hung is recorded `timeout`, one that took the process down `failed`; the module then
/// continues with the next, unless its process could not be ended: another would meet the same driver.
ModuleEnd run_module_to_end(const ModuleRequest& request, const ModuleShare& share, const PlaceInRun& place,
                            const std::atomic<int>& signals);

}  // namespace assay::suite
