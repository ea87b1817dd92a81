// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Results of other tools against a limit, which have one number a run and no interval of their own: what
// varies between runs is their interval.
#pragma once

#include <span>
#include <string>

#include "results/judge/limits/limited_points.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {

/// FAIL where every one of two runs or more is beyond the row's limit; PASS where of three or more each one,
/// and the 95 % interval of their mean by Student's t, is within; else INCONCLUSIVE, as are results that are
/// not the same measurement. Sets all that is said about the value.
void hold_aggregates_against_limit(VerdictRow& row, std::span<const LimitedPoint* const> points);

}  // namespace assay::results
