// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What runs that are compared measured, point by point and repetition by repetition, with every reason why a
// repetition must not count.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/compared_runs.hpp"
#include "results/record/record.hpp"

namespace assay::results {

/// One repetition of a point in a run.
struct RepetitionValue {
  Status status = Status::ok;
  double time_s = 0;
  std::string why_not = {};  // empty where it counts: "failed: no memory", "its link was not sound: lossy"
  bool is_wrong = false;     // its result is wrong, whatever its status says
  std::int64_t process = 0;
  bool cut = false;  // by an interrupt: a resumed run measures it again

  bool counts() const { return why_not.empty(); }
};

using PointName = std::pair<std::string, std::string>;      // case, key
using RunValues = std::map<std::int64_t, RepetitionValue>;  // of one point in one run, by repetition
using PointValues =
    std::map<PointName, std::vector<RunValues>>;  // a RunValues for each run, in the order given

/// Every point that any of these runs has. Throws std::runtime_error with one line: runs or points of one
/// name that do not mean the same (results/judge/run_definitions.hpp), or a run that is a copy of another.
struct SideValues {
  PointValues a, b;
};
SideValues values_of(const ComparedSides& sides, const std::string& filter);

}  // namespace assay::results
