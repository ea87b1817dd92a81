// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The runs on the two sides of a comparison: each a start of its own, none twice.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// Each side: run ids, "latest", "all", or globs over run ids.
struct ComparisonRequest {
  std::vector<std::string> a, b;  // the baseline, and the candidate that is judged
  double margin = 0.03;           // within 1 / (1 + margin) and 1 + margin
  std::string filter = {};        // glob over cases or case/point
};

struct ComparedRun {
  const Store* store = nullptr;
  StoredRun run;
};

struct ComparedSides {
  std::vector<ComparedRun> a, b;  // in order of their start
};

/// Throws std::runtime_error with one line: no such run; one run on both sides or twice on one; ranks of one
/// run, which are one start; records of different origins.
ComparedSides compared_sides(const Store& of_a, const Store& of_b, const ComparisonRequest& request);

/// "r1", "r1, r2, r3", "r1 and 4 more".
std::string label_of(const std::vector<ComparedRun>& runs);
std::vector<std::string> ids_of(const std::vector<ComparedRun>& runs);

}  // namespace assay::results
