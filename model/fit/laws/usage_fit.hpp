// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The share of a processor that concurrent work takes: with T0 alone and T1 during that work, 1 - T0 / T1
// (Calculon's processor_usage).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// Usages by SlowdownRow::contest(), each from 0 to below 1; repetitions as one: their median, and an
/// interval that holds all of theirs. Where the interval reaches 0, `supported` is false.
std::map<std::string, Coefficient> fit_usage(const Timings<SlowdownRow>& timings);

/// Contests of products with what a collective does to them in a step: with `nccl`, a collective; where none
/// was measured, with copies by kernels, as a collective's; else with any copies.
std::vector<std::string> contests_of_a_step(const std::map<std::string, Coefficient>& usages);

}  // namespace assay::model::fit
