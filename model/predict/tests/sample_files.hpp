// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A small model on a small machine, as the three JSON objects, made for these tests.
#pragma once

#include <nlohmann/json.hpp>

#include "model/predict/answer/prediction.hpp"

namespace assay::model {

/// Width 4, 2 heads of 2, 2 tokens, 1 block.
nlohmann::json sample_application();
/// One processor, float16, batch 1, training, nothing else switched on.
nlohmann::json sample_execution();
/// Both engines 1 TFLOP/s, memories 1 GB/s, efficiency 1 at every size, two tiers of 8 and 4096 processors.
nlohmann::json sample_system();

Configuration read_sample(const nlohmann::json& application, const nlohmann::json& execution,
                          const nlohmann::json& system);

}  // namespace assay::model
