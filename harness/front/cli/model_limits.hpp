// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What calibrated coefficients say that each product, copy, message and collective of a store should take.
#pragma once

#include <string>
#include <vector>

#include "results/judge/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::cli {

/// Every run of the store against every file of coefficients; `filter` is a glob over cases or case/point.
/// Throws a usage Error for a file that cannot be read, and std::runtime_error for a run of several machines.
results::Verdicts judge_by_model(const results::Store& store, const std::string& filter,
                                 const std::vector<std::string>& coefficients, double margin);

}  // namespace assay::cli
