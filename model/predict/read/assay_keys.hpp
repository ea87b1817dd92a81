// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys by which files ask for assay's model: those that Calculon does not know and assay does.
#pragma once

#include <string>

#include "model/predict/read/read.hpp"

namespace assay::model {

/// The first such key, with its place: "app.json: kv_heads"; empty where there is none. Remarks ask for
/// nothing.
std::string assay_key_of_application(const JsonValue& application);
std::string assay_key_of_execution(const JsonValue& execution);
std::string assay_key_of_system(const JsonValue& system);

/// Text for people where a key of the files chooses the model; empty without a key.
std::string chosen_by(const std::string& key);

}  // namespace assay::model
