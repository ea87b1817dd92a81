// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fit stage of a campaign: every kind that its runs have, in one file, tested on a block.
#pragma once

#include <optional>

#include "harness/front/campaign/fit_stage.hpp"

namespace assay::cli {

/// Fits coefficients as campaign::FitCoefficients says; prints to standard output.
std::optional<double> fit_campaign(const campaign::FitRequest& request);

}  // namespace assay::cli
