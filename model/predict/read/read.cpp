// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/read.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/json/json_fields.hpp"
#include "model/predict/read/hugging_face.hpp"
#include "model/predict/read/known_keys.hpp"
#include "model/predict/read/read_extensions.hpp"

namespace assay::model {

Application read_application(const JsonValue& json, Model model, std::int64_t sequence) {
  const JsonKeys keys(json);
  if (is_hugging_face(json)) {
    if (model == Model::assay) return read_hugging_face(json, sequence).application;
    keys.fail("model_type", "none in an application of Calculon; a config.json needs --model assay");
  }
  Application application;
  read_fields(keys, Keys::required, application);
  if (model == Model::assay) read_extensions(keys, application);
  return application;
}

Execution read_execution(const JsonValue& json, Model model) {
  const JsonKeys keys(json);
  keys.only(model == Model::assay ? keys_of_assay<Execution>() : keys_of_calculon<Execution>());
  Execution execution;
  read_fields(keys, Keys::required, execution);
  execution.expert_par_net = execution.data_par_net;
  execution.context_par_net = execution.tensor_par_net;
  if (model == Model::assay) read_extensions(keys, execution);
  return execution;
}

void place_context(const JsonValue& json, const System& system, Execution& e) {
  if (e.context_par == 1 || json.find("context_par_net").found()) return;
  const std::size_t next = e.tensor_par_net + 1;
  if (next >= system.networks.size() ||
      e.tensor_par * e.context_par <= system.networks[e.tensor_par_net].size)
    return;
  e.context_par_net = next;
  const std::int64_t needed = e.expert_group();
  if (!json.find("expert_par_net").found() && needed > e.tensor_par && needed <= e.tensor_par * e.context_par)
    e.expert_par_net = next;
}

/// Experts and contexts are spread over a network that is written wherever they are spread.
nlohmann::json to_json(const Execution& execution) {
  Execution usual;
  usual.expert_par_net = execution.expert_par_net + (execution.expert_par == 1 ? 0 : 1);
  usual.context_par_net = execution.context_par_net + (execution.context_par == 1 ? 0 : 1);
  return json_of(execution, usual);
}

Application read_application(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_application(JsonDocument(file + ": ", tree).root(), model);
}

Execution read_execution(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_execution(JsonDocument(file + ": ", tree).root(), model);
}

System read_system(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_system(JsonDocument(file + ": ", tree).root(), model);
}

namespace {

/// "(application.json)" where the rule concerns what that file holds: either of the two may be wrong.
std::string file_of(std::string_view part, const std::string& broken, const JsonValue& json) {
  if (broken.find(part) == std::string::npos || json.place() != 0) return {};
  const std::string opening = json.document().place_of(0);
  return fmt::format(" ({})", opening.substr(0, opening.rfind(": ")));
}

}  // namespace

void require_fit(const Application& application, const Execution& execution, const System& system,
                 const ConfigurationJson& json) {
  const std::string broken = misfit(application, execution, system);
  if (broken.empty()) return;
  const bool is_whole_file = json.execution.place() == 0;
  core::usage_error(fmt::format(
      "{}{}{}{}{}", json.execution.document().place_of(json.execution.place()), is_whole_file ? "" : ".",
      broken, file_of("application's", broken, json.application), file_of("system's", broken, json.system)));
}

}  // namespace assay::model
