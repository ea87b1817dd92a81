// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of a run that a filter can match at all.
#pragma once

#include <optional>
#include <string>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// For a query FROM points p: "AND p.case_id IN (3,7) ", the cases of a run whose points may match a filter
/// (points_in_order()), by what it begins with; "" without a filter. Points of others need not be looked at
/// one by one; nothing where there are no such cases.
std::optional<std::string> condition_of_cases(const Store& store, const StoredRun& run,
                                              const std::string& filter);

}  // namespace assay::results
