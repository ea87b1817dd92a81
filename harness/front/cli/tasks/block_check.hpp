// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients against a run of the parts of one transformer block, of shapes that the fit has not seen.
#pragma once

#include <string>
#include <vector>

#include "harness/front/answers/fit_source.hpp"

namespace assay::cli {

/// One part, by its case and point.
struct BlockPart {
  std::string what;
  double measured_us = 0, predicted_us = 0;
};

/// Prints a line for each part and their sum, with the error in percent of the measured time, and returns the
/// parts: of every section that the runs have rows for, in the order of the sections. Throws a usage error
/// for rows that the coefficients cannot price.
std::vector<BlockPart> check_block(const std::string& coefficients, const answers::FitSource& source);

/// One part after the other.
BlockPart sum_of(const std::vector<BlockPart>& parts);

}  // namespace assay::cli
