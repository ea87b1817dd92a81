// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two runs held against each other, point by point: which are equivalent within a margin, which are not, and
// of which too little is known. Repetition r of a point in one run is the pair of repetition r in the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/equivalence.hpp"
#include "results/judge/verdicts.hpp"
#include "results/store.hpp"
#include "results/table.hpp"

namespace assay::results {

struct ComparedPoint {
  std::string case_name, key;
  double a_us = 0, b_us = 0;  // medians over the repetitions, of one iteration
  /// Of the times: above 1, b takes longer.
  core::EquivalenceResult times;
  /// Further repetitions that would make it equivalent, were it as it looks; none where more would not help.
  std::optional<std::int64_t> more_needed;
  /// "wrong: ..." of a repetition in b, where a has none that is not ok.
  std::string not_ok_in_b = {};
};

struct UncomparedPoint {
  std::string case_name, key, why;
  Verdict verdict = Verdict::not_run;
  bool excused = false;  // neither run could measure it, or only the one that is judged did
};

struct RunComparison {
  std::string a, b;  // run ids
  double margin = 0;
  std::vector<ComparedPoint> points;
  std::vector<UncomparedPoint> uncompared;
  std::int64_t only_in_a = 0, only_in_b = 0;  // points
  std::int64_t not_compared = 0;              // in both, and not ok in one, or no performance measurement

  std::int64_t count(core::Equivalence verdict) const;
};

struct ComparisonRequest {
  std::string a, b;         // run ids, or "latest"
  double margin = 0.03;     // within 1 / (1 + margin) and 1 + margin
  std::string filter = {};  // glob over cases or case/point
};

/// Throws std::runtime_error with one line: no such run; nothing measured in both; or runs or points of one
/// name that do not mean the same (results/judge/run_definitions.hpp), naming what differs.
RunComparison compare_runs(const Store& of_a, const Store& of_b, const ComparisonRequest& request);

/// The worst first.
Table to_table(const RunComparison& comparison);

/// A point that is worse, or that b could not measure and a could, fails; one of which too little is known,
/// or that only a has, leaves the whole open.
Verdicts verdicts_of(const RunComparison& comparison);

}  // namespace assay::results
