// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured collectives as one network of a system, without any base.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/fit/csv_table.hpp"

namespace assay::model::calculon {

/// As large as the most ranks measured; operations that were not measured are null. Null, or a CSV with too
/// few of them for a formula: a network of one processor. What is lacking is added to `lacking`.
nlohmann::ordered_json measured_tier(const fit::CsvSource* collectives, std::vector<std::string>& lacking);

}  // namespace assay::model::calculon
