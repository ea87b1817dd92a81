// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Features of the residual surface of GEMM time: sizes, and how each tile divides the result.
#pragma once

#include <vector>

#include "model/fit/laws/gemm_core.hpp"

namespace assay::model::fit {

/// Always the same number of features, in the same order; a change of either is a new schema version.
std::vector<double> gemm_features(const GemmShape& shape, double multiprocessors);

}  // namespace assay::model::fit
