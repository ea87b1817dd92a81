// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every unit of a store held against limits of its type of machine.
#pragma once

#include <span>
#include <string>

#include "results/judge/limits_file.hpp"
#include "results/judge/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// A row for each limit, unit and point: PASS where the whole interval of every measurement is within the
/// limit, FAIL where that of none reaches it, else INCONCLUSIVE. A unit that lacks a point that others have,
/// a point that was not measured or lacks the metric, and a limit that matched no point are rows that keep
/// the whole from passing. Left out, and counted in a note: what a burn-in measured in a round together.
/// `filter` as in points_in_order. Throws std::runtime_error with one line for a host that no file is for, a
/// file that is for no host, and a metric whose unit is not the limit's.
Verdicts judge_limits(const Store& store, const std::string& filter, std::span<const LimitsFile> files);

}  // namespace assay::results
