// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A record as a JSON object, and back. Keys stand in a fixed order; a number that is not finite becomes null.
#pragma once

#include <nlohmann/json.hpp>

#include "results/record/journal.hpp"

namespace assay::results {

nlohmann::ordered_json to_json(const Record& record);

/// Throws std::runtime_error with one line naming the key and what was expected there.
Record from_json(const nlohmann::ordered_json& object);

}  // namespace assay::results
