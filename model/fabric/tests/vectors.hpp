// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The shared vectors of the fabric: exact results and packet simulations.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::model::fabric {

/// Whether this build knows where they are.
bool has_vectors();

inline constexpr const char* no_vectors =
    "configure with -DASSAY_SHARED_DATA_DIR (or -DASSAY_FABRIC_VECTORS_DIR) to compare with the fabric "
    "vectors";

/// The text of a file of the folder, and what a JSON file of it holds.
std::string vector_text(const std::string& file);
nlohmann::json vector_json(const std::string& file);

}  // namespace assay::model::fabric
