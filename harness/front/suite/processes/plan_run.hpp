// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay run`: every module that the plan asks for, one after the other, into one journal.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/suite/assumed_node.hpp"
#include "harness/front/suite/processes/launcher.hpp"
#include "harness/front/suite/processes/modules.hpp"
#include "harness/machine/left_out.hpp"
#include "harness/machine/machine.hpp"

namespace assay::suite {

struct RunOptions {
  std::string plan;                        // path or name; empty when resuming: the plan of that run
  std::vector<std::string> filters, axes;  // both empty when resuming: those of that run
  std::string benchmark_filter = {};       // a regular expression; when resuming as the filters
  std::string workload = {};               // a file, for collectives; when resuming as the filters
  std::vector<std::string> modules = {};   // "gemm"; empty: all; when resuming: those of that run
  std::filesystem::path folder;            // where runs are kept: <folder>/<run>/journal.jsonl
  std::string run_id;                      // empty: a new one, or the latest when resuming
  bool resume = false;
  std::string only = {};                  // when resuming: numbers of records, "3-5,9": these points alone
  long only_count = 0;                    // of them
  double slack_s = 60;                    // how long a point may be silent beyond its budgets
  double interrupted_s = 20;              // how long it may continue once the run was interrupted
  std::filesystem::path programs_folder;  // where the modules' programs are
  LauncherFlags launcher = {};
  std::vector<machine::Hardware> require = {};  // without which the run is not a pass
  std::optional<AssumedNode> assumed = {};      // of size_of_plan() alone: instead of this machine
};

struct RunOutcome {
  int exit_code = 0;
  std::string run_id;
  std::filesystem::path journal;
  bool measured = false;  // the journal holds something
};

/// `signals` counts interrupts; `out` takes what people read. Throws a usage Error on bad input, before
/// anything runs.
RunOutcome run_plan(const RunOptions& options, const std::atomic<int>& signals, std::ostream& out);

/// Prints, for each module that is built, the command that a run would start it with, and runs nothing.
/// Throws a usage Error as run_plan does.
void show_commands(const RunOptions& options, std::ostream& out);

struct ModuleSize {
  std::string module;   // "gemm"
  long points = 0;      // that the machine can measure
  double budget_s = 0;  // at most, of measuring
};

/// The size of a plan on this machine, or on the assumed node.
struct PlanSize {
  long points = 0;
  double budget_s = 0;
  machine::LeftOut left_out = {};
  std::vector<ModuleSize> modules = {};
};

/// Counts the points of the options' plan, "quick" where there is none, with the modules on this machine.
/// Throws as run_plan does.
PlanSize size_of_plan(const RunOptions& options, const std::atomic<int>& signals);

/// 4 interrupted, then 1 failed, then 3 nothing ran, then 0: the whole is never better than its worst module.
int worse_exit(int a, int b);

}  // namespace assay::suite
