// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The key `rank_laws` of a file of collectives.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "model/fit/laws/rank_law.hpp"
#include "model/json/json_keys.hpp"

namespace assay::model::fit {

nlohmann::ordered_json json_of(const std::vector<RankLaw>& laws);

/// Reads the laws of the object that has the key; files from before the key have none. Throws a usage Error
/// naming file and key for what cannot be.
std::vector<RankLaw> rank_laws_from(const JsonKeys& keys);

}  // namespace assay::model::fit
