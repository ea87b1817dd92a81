// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/models/models.hpp"

#include "harness/front/cli/models/fabric_expectation.hpp"
#include "harness/front/cli/models/fabric_location.hpp"
#include "harness/front/cli/models/model_limits.hpp"

namespace assay::cli {

results::Models models_for_judges() { return {foretell_by_model, locate_in_fabric, expect_of_fabric}; }

}  // namespace assay::cli
