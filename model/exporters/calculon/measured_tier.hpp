// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured collectives as the networks of a system, without any base.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/fit/rows/csv_table.hpp"

namespace assay::model::calculon {

/// Those within a node and those over nodes are a network each, which says so (`tier`); where none is within
/// a node, or the rows do not know nodes, there is one network. Each is as large as the most ranks measured
/// on it; operations that were not measured are null. Null, or too few rows for a formula: a network of one
/// processor. What is lacking is added to `lacking`.
nlohmann::ordered_json measured_networks(const fit::CsvSource* collectives,
                                         std::vector<std::string>& lacking);

}  // namespace assay::model::calculon
