// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sources of the efficiencies that a prediction rests on, as the system file states them.
#pragma once

#include <string>
#include <vector>

#include "model/json/read_json.hpp"

namespace assay::model {

/// One line: "Efficiencies of h100-sxm.json: measured matrix.bfloat16, mem1; guessed mem2." `settings`:
/// KEY=VALUE of the command. `coefficients`: files of assay fit that are used besides, "[TIER=]FILE".
std::string efficiency_sources(const JsonSource& system, const std::vector<std::string>& settings,
                               const std::vector<std::string>& coefficients);

/// The answer with this line below its first.
std::string with_sources(std::string answer, const std::string& line);

}  // namespace assay::model
