// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The time of one training step, as `assay predict` answers it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/front/answers/model_choice.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::answers {

struct PredictQuestion : ModelChoice {
  model::JsonSource application, execution, system;
  /// "tensor_par=4", "model.seq_size=8192": values that are replaced, of the file that has the key.
  std::vector<std::string> settings = {};
  std::int64_t gpus = 0;  // instead of the execution's, by data parallelism; 0: as many as it says
};

struct PredictAnswer {
  model::Configuration configuration;
  model::Prediction prediction;
  std::vector<std::string> warnings;
  std::vector<std::string> about = {};  // of a model that is a config.json
};

/// Throws a usage Error naming file and key.
PredictAnswer predict(const PredictQuestion& question);

/// With what `assay fabric` reads, which has no step of sharded parameters.
nlohmann::json to_json(const PredictAnswer& answer);

}  // namespace assay::answers
