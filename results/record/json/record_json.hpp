// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A record as a JSON object, and back. Keys are in a fixed order; a number that is not finite becomes null.
#pragma once

#include <nlohmann/json.hpp>

#include "results/record/journal.hpp"

namespace assay::results {

nlohmann::ordered_json to_json(const Record& record);
nlohmann::ordered_json to_json(const Scalar& value);
/// Nothing for what is neither a text nor a number: a number that was not finite is null.
std::optional<Scalar> scalar_from(const nlohmann::ordered_json& value);

/// Throws std::runtime_error with one line naming the key and what was expected there.
Record from_json(const nlohmann::ordered_json& object);

/// from_line(), without the quick way for points in the form that to_line() writes.
Record from_line_of_any_form(const std::string& line);

}  // namespace assay::results
