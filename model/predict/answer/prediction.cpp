// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/prediction.hpp"

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/read/assay_keys.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {

std::string choose_by_keys(const JsonValue& application, const std::optional<JsonValue>& execution,
                           const JsonValue& system, ReadOptions& options) {
  if (!options.by_keys || options.model == Model::assay) return {};
  std::string key = assay_key_of_application(application);
  if (key.empty() && execution) key = assay_key_of_execution(*execution);
  if (key.empty()) key = assay_key_of_system(system);
  if (!key.empty()) options.model = Model::assay;
  return chosen_by(key);
}

PricedSystem read_priced_system(const JsonValue& json, const ReadOptions& options, const PricedTypes& types) {
  PricedSystem priced{.system = read_system(json, options.model), .coefficients = {}};
  if (options.model == Model::calculon) return priced;
  std::vector<CoefficientFile> files = coefficient_files_of(json);
  files.insert(files.end(), options.coefficients.begin(), options.coefficients.end());
  for (const CoefficientFile& of : files)
    priced.coefficients.push_back(apply_coefficients(
        of, options.times->read(of.path, types, options.coefficients_dtype), priced.system));
  priced.coefficients.insert(priced.coefficients.end(), options.left_out.begin(), options.left_out.end());
  return priced;
}

Configuration read_configuration(const JsonValue& application, const JsonValue& execution,
                                 const JsonValue& system, const ReadOptions& options) {
  const Application what = read_application(application, options.model, options.sequence);
  Execution how = read_execution(execution, options.model);
  PricedSystem priced = read_priced_system(system, options, how.priced_types());
  place_context(execution, priced.system, how);
  require_fit(what, how, priced.system, {application, execution, system});
  return {.application = what,
          .execution = how,
          .system = std::move(priced.system),
          .model = options.model,
          .coefficients = std::move(priced.coefficients)};
}

PricedSystem read_priced_system(const nlohmann::json& tree, const std::string& file,
                                const ReadOptions& options, const PricedTypes& types) {
  return read_priced_system(JsonDocument(file + ": ", tree).root(), options, types);
}

Configuration read_configuration(const nlohmann::json& application, const nlohmann::json& execution,
                                 const nlohmann::json& system, const ConfigurationNames& names,
                                 const ReadOptions& options) {
  const JsonDocument what(names.application + ": ", application);
  const JsonDocument how(names.execution + ": ", execution);
  const JsonDocument where(names.system + ": ", system);
  return read_configuration(what.root(), how.root(), where.root(), options);
}

Prediction predict(const Configuration& configuration) {
  const auto& [application, execution, system, model, coefficients] = configuration;
  Prediction prediction;
  prediction.block = block_cost(application, execution, system);
  prediction.verdict = evaluate(application, execution, system, prediction.block, prediction.step);
  return prediction;
}

nlohmann::json to_json(const Configuration& configuration, const Prediction& prediction) {
  std::string text;
  append_json(text, configuration, prediction);
  return core::json_from<nlohmann::json>(text);
}

}  // namespace assay::model
