// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Overlap efficiency: of the time that an ideal schedule hides of a pass and its exchanges, the share that
// was hidden.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// One row, and what the other rows of its contest say of it.
struct UnseenOverlap {
  std::string point;
  double time_us = 0, predicted_us = 0;
};

struct OverlapFit {
  std::map<std::string, Coefficient> efficiencies;  // by OverlapRow::contest()
  std::map<std::string, std::string> doubts;        // of contests whose efficiency is not supported: why
  std::map<std::string, std::vector<UnseenOverlap>> unseen;  // by contest; one row has none
  Errors held_out;                                           // each row by the other rows of its contest
  Errors assumed_none, assumed_all;                          // of the same rows with efficiency 0 and 1
};

/// Each from 0 to 1: where running together costs more than one after the other, nothing is hidden. The
/// median of a contest's rows, with its interval; fewer than six rows have their extremes, and one row from 0
/// to 1. `supported` is false of one row, where bounds are more than half apart, and where the median lies
/// more than a tenth outside 0 to 1.
OverlapFit fit_overlap(const Timings<OverlapRow>& timings);

/// Contests of that operation: "bucketed_all_reduce".
std::vector<std::string> contests_of_operation(const std::map<std::string, Coefficient>& efficiencies,
                                               std::string_view operation);

}  // namespace assay::model::fit
