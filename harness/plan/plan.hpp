// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A plan (TOML): it names cases by glob, overrides axes and measuring options. Unknown keys are errors.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/measure.hpp"

namespace assay::plan {

struct Sweep {
  std::vector<std::string> cases = {};  // globs over case names: "memory.host.*"
  std::vector<std::pair<std::string, std::vector<std::string>>> axes = {};  // axis name, values as written
  /// Likewise, from the command line: overrides the plan, and skips cases that have no such axis.
  std::vector<std::pair<std::string, std::vector<std::string>>> overrides = {};
  core::MeasureOptions measure = {};
  int repetitions = 1;
  std::string where = {};  // "plan.toml:12", for messages
};

struct Plan {
  std::string name = {}, about = {};
  std::string source = {};  // the TOML text as read, for the context record
  std::vector<Sweep> sweeps = {};
};

/// `text` is a path or the name of a built-in plan ("quick", "full"). Throws a usage Error with file and
/// line.
Plan read_plan(const std::string& path_or_name);
Plan parse_plan(const std::string& toml, const std::string& file);
std::vector<std::string> built_in_plans();

/// Reads "NAME=VALUES" with comma-separated values, as --axis takes it, into every sweep. Returns the axis'
/// name. Throws a usage Error when it has no such form.
std::string override_axis(Plan& plan, const std::string& text);

struct PlannedPoint {
  const core::Case* benchmark = nullptr;
  core::Point point = {};
  core::MeasureOptions measure = {};
  int repetition = 0;
};

/// The points of those cases that the plan asks of this module, in plan order, each (case, point, repetition)
/// once. A sweep whose globs all name another module is skipped; one that names this module and matches
/// no case, or an axis no matched case has, is a usage Error. Cases that are not `wanted` give no points, and
/// are not asked whether they take an axis' values.
std::vector<PlannedPoint> expand(
    const Plan& plan, const std::string& module, const std::vector<core::Case>& cases,
    const std::function<bool(const core::Case&)>& wanted = [](const core::Case&) { return true; });

}  // namespace assay::plan
