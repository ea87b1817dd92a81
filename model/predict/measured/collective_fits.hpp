// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Curves and laws of a network's collectives, from what `assay fit collectives` wrote.
#pragma once

#include <string>
#include <vector>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/system/system.hpp"

namespace assay::model {

/// Curves and laws of this dtype, each with its tier. Of several back ends on one machine the first of NCCL,
/// MPI and assay's own counts, of several numbers of nodes for one number of ranks the largest
/// (fit::on_most_nodes). A message is one between two ranks, however many send one at once. Throws a usage
/// Error naming the file for a family without a number of ranks, and for two systems of one back end.
std::vector<CollectiveCurve> fitted_curves(const std::string& path,
                                           const fit::CollectiveCoefficients& coefficients,
                                           const std::string& dtype);
std::vector<CollectiveLaw> fitted_laws(const std::string& path,
                                       const fit::CollectiveCoefficients& coefficients,
                                       const std::string& dtype);

}  // namespace assay::model
