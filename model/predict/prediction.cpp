// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/prediction.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/predict/measured_use.hpp"
#include "model/predict/read.hpp"
#include "model/predict/stats.hpp"

namespace assay::model {

PricedSystem read_priced_system(const nlohmann::json& json, const std::string& file,
                                const ReadOptions& options, Datatype datatype) {
  PricedSystem priced{.system = read_system(json, file, options.model), .coefficients = {}};
  if (options.model == Model::calculon) return priced;
  std::vector<CoefficientFile> files = coefficient_files_of(json, file);
  files.insert(files.end(), options.coefficients.begin(), options.coefficients.end());
  for (const CoefficientFile& of : files)
    priced.coefficients.push_back(apply_coefficients(
        of, options.times->read(of.path, datatype, options.coefficients_dtype), priced.system));
  return priced;
}

Configuration read_configuration(const nlohmann::json& application, const nlohmann::json& execution,
                                 const nlohmann::json& system, const ConfigurationNames& names,
                                 const ReadOptions& options) {
  const Application what = read_application(application, names.application, options.model);
  const Execution how = read_execution(execution, names.execution, options.model);
  PricedSystem priced = read_priced_system(system, names.system, options, how.datatype);
  require_fit(what, how, priced.system, names.execution);
  return {.application = what,
          .execution = how,
          .system = std::move(priced.system),
          .model = options.model,
          .coefficients = std::move(priced.coefficients)};
}

Prediction predict(const Configuration& configuration) {
  const auto& [application, execution, system, model, coefficients] = configuration;
  Prediction prediction;
  prediction.block = block_cost(application, execution, system);
  prediction.verdict = evaluate(application, execution, system, prediction.block, prediction.step);
  return prediction;
}

namespace {

/// JSON has no infinity: a bandwidth that no memory could have is null, and named in "unbounded".
void add_stats(const std::vector<Stat>& all, nlohmann::json& json) {
  nlohmann::json& numbers = json["stats"] = nlohmann::json::object();
  for (const auto& [name, value] : all) {
    const bool unbounded = value && std::isinf(*value);
    numbers[std::string(name)] = value && !unbounded ? nlohmann::json(*value) : nlohmann::json(nullptr);
    if (unbounded) json["unbounded"].push_back(name);
  }
}

}  // namespace

nlohmann::json to_json(const Configuration& configuration, const Prediction& prediction) {
  nlohmann::json json = nlohmann::json::object();
  if (configuration.model == Model::assay)
    json = {{"model", "assay"}, {"pricing", pricing(configuration)}, {"warnings", warnings(configuration)}};
  json["status"] = prediction.verdict.feasible() ? "ok" : "infeasible";
  if (!prediction.verdict.feasible()) {
    json["reason"] = to_string(prediction.verdict);
    return json;
  }
  std::vector<Stat> all = stats(configuration.execution, prediction.block, prediction.step);
  if (configuration.model == Model::assay) add_assay_stats(all, prediction.step);
  add_stats(all, json);
  return json;
}

}  // namespace assay::model
