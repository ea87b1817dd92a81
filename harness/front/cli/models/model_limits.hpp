// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times that each product, copy, message and collective of a store should take by calibrated coefficients.
#pragma once

#include <string>

#include "results/judge/judges.hpp"
#include "results/store/store.hpp"

namespace assay::cli {

/// Expected times of every run of the store, as results::Foretell; `filter` is a glob over cases or
/// case/point. Throws a usage Error for a file that cannot be read, and std::runtime_error for a run of
/// several machines.
results::ExpectedTimes foretell_by_model(const results::Store& store, const std::string& filter,
                                         const std::string& coefficients);

}  // namespace assay::cli
