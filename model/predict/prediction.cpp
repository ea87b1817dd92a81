// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/prediction.hpp"

#include <nlohmann/json.hpp>

#include "model/predict/read.hpp"
#include "model/predict/stats.hpp"

namespace assay::model {

Configuration read_configuration(const nlohmann::json& application, const nlohmann::json& execution,
                                 const nlohmann::json& system, const ConfigurationNames& names) {
  Configuration read{.application = read_application(application, names.application),
                     .execution = read_execution(execution, names.execution),
                     .system = read_system(system, names.system)};
  require_fit(read.application, read.execution, read.system, names.execution);
  return read;
}

Prediction predict(const Configuration& configuration) {
  const auto& [application, execution, system] = configuration;
  Prediction prediction;
  prediction.block = block_cost(application, execution, system);
  prediction.verdict = evaluate(application, execution, system, prediction.block, prediction.step);
  return prediction;
}

nlohmann::json to_json(const Configuration& configuration, const Prediction& prediction) {
  if (!prediction.verdict.feasible())
    return {{"status", "infeasible"}, {"reason", to_string(prediction.verdict)}};
  nlohmann::json numbers = nlohmann::json::object();
  for (const auto& [name, value] : stats(configuration.execution, prediction.block, prediction.step))
    numbers[std::string(name)] = value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  return {{"status", "ok"}, {"stats", std::move(numbers)}};
}

}  // namespace assay::model
