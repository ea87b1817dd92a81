// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The models that judges ask: coefficients that predict times, a fabric that locates what is slow.
#pragma once

#include "results/judge/judges.hpp"

namespace assay::cli {

results::Models models_for_judges();

}  // namespace assay::cli
