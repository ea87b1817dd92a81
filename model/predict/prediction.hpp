// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A prediction for people and for programs: the three inputs read and evaluated, then told.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/predict/execution.hpp"
#include "model/predict/step.hpp"

namespace assay::model {

struct Configuration {
  Application application;
  Execution execution;
  System system;
};

/// Where the three come from, for messages.
struct ConfigurationNames {
  std::string application, execution, system;
};

/// Throws a usage Error naming file and key.
Configuration read_configuration(const nlohmann::json& application, const nlohmann::json& execution,
                                 const nlohmann::json& system, const ConfigurationNames& names);

struct Prediction {
  Verdict verdict;
  BlockCost block;
  Step step;  // where the verdict is feasible
};

Prediction predict(const Configuration& configuration);

/// {"status": "ok", "stats": {...96...}} or {"status": "infeasible", "reason": ...}.
nlohmann::json to_json(const Configuration& configuration, const Prediction& prediction);

/// Time by part, memory by class and MFU, or why it does not fit; ends with a newline.
std::string to_text(const Configuration& configuration, const Prediction& prediction);

}  // namespace assay::model
