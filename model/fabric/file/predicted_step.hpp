// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The training step that `assay predict --json` prints, as a workload.
#pragma once

#include <string>

#include "harness/core/text/toml_text.hpp"

namespace assay::model::fabric {

/// Its "training_step", with the keys of a workload file. Throws a usage Error naming the file where it has
/// none, or is not JSON.
toml::table read_predicted_step(const std::string& file);

}  // namespace assay::model::fabric
