// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys of Calculon's files that Calculon's model leaves alone.
#pragma once

#include <string>

#include "model/json/json_document.hpp"

namespace assay::model {

/// "app.json: not used: experts, kv_heads (--model assay uses them); ffn_type (not known)"; empty where all
/// are used. Names and remarks are not meant to be. A value of another kind has no keys.
std::string unused_keys_of_application(const JsonValue& application, const std::string& file);
std::string unused_keys_of_system(const JsonValue& system, const std::string& file);

}  // namespace assay::model
