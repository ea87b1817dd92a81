// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One line of what a judge says: a unit, what was looked at, and the verdict with its evidence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/verdict/verdict.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// The permitted range, in the unit of the value; a bound that is missing limits nothing.
struct VerdictLimit {
  std::optional<double> lowest = {}, highest = {};
};

struct VerdictRow {
  std::string unit = {};    // "h3/gpu2"; empty for the whole
  std::string kind = {};    // what the unit is: gpu, host, run, link
  std::string metric = {};  // "memory.host.copy/bytes=65536 bandwidth_gb_per_s", or the check's name
  Verdict verdict = Verdict::not_run;
  std::optional<Number> value = {};  // with its interval where one is known
  std::string value_unit = {};       // of the value and of the limit
  std::optional<VerdictLimit> limit = {};
  std::string limit_source = {};               // who says so
  std::int64_t n = 0;                          // measurements behind the value; 0: none, or no number
  std::optional<double> smallest_defect = {};  // relative; what this could have seen
  std::string because = {};                    // one line
  std::vector<std::string> evidence = {};      // further lines
  std::string meaning = {};
  std::optional<Action> action = {};
  /// Rightly not judged: there is no such unit here, or the user asked not to look. Reported, and not
  /// counted; its verdict is not_run.
  bool excused = false;
  std::string origin =
      {};  // of what was judged: "measured", "imported", "measured and simulated"; "" unknown
};

}  // namespace assay::results
