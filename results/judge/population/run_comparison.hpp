// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two sides of a comparison, each of one run or more, compared point by point: which points are equivalent
// within a margin, which are not, and of which too little is known. A run, that is a fresh start of
// processes, is one measurement, however many repetitions it made: they share placement, path and heat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/statistics/equivalence.hpp"
#include "results/judge/series/compared_runs.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct ComparedPoint {
  std::string case_name, key;
  double a_us = 0, b_us = 0;  // of one iteration: geometric mean over repetitions, then over runs
  /// The comparison of the times: with a ratio above 1, b takes longer.
  core::EquivalenceResult times;
  std::int64_t repetitions = 0;        // that count, of the run with fewest
  std::optional<double> within_a_run;  // deviation of ln(time) between repetitions
  std::optional<std::int64_t>
      runs_needed;  // on each side, to decide; none where no number would, or none is needed
  std::vector<std::string> findings;  // repetitions that do not count or have no partner: no verdict but this
  std::string not_ok_in_b;            // "wrong: ..." of a repetition in b, where a has none such: it fails
};

struct UncomparedPoint {
  std::string case_name, key, why;
  Verdict verdict = Verdict::inconclusive;
  bool excused = false;  // no run could measure it
};

struct RunComparison {
  std::string a = {}, b = {};  // labels of the sides
  std::vector<std::string> ids_of_a = {}, ids_of_b = {};
  double margin = 0;
  std::vector<ComparedPoint> points = {};
  std::vector<UncomparedPoint> uncompared = {};
  std::int64_t only_in_a = 0, only_in_b = 0;  // points
  std::int64_t not_compared = 0;              // on both sides, and on one not measured as it must be
  bool one_after_the_other = false;           // all runs of one side started before all of the other
  std::string origin = {};                    // of all runs

  std::int64_t count(core::Equivalence verdict) const;
};

/// Throws std::runtime_error with one line: a margin that is not one (harness/core/statistics/margin.hpp);
/// what compared_sides() and values_of() refuse; no point that both sides have.
RunComparison compare_runs(const Store& of_a, const Store& of_b, const ComparisonRequest& request);

/// The worst first.
Table to_table(const RunComparison& comparison);

/// A point that is worse, or that b could not measure and a could, fails; one of which too little is known,
/// that only one side has, or whose repetitions are not all there and sound, leaves the whole open.
Verdicts verdicts_of(const RunComparison& comparison);

}  // namespace assay::results
