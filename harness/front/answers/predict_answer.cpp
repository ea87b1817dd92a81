// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/predict_answer.hpp"

#include <nlohmann/json.hpp>

#include "harness/front/answers/predict_inputs.hpp"
#include "harness/front/answers/unused.hpp"
#include "harness/training/step_file.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/answer/training_step.hpp"
#include "model/predict/read/hugging_face.hpp"
#include "model/predict/system/doubtful_system.hpp"

namespace assay::answers {
namespace {

/// The peak rate that MFU is a share of, a processor's memory, and the state that it must hold: weights,
/// gradients and the optimizer's state.
nlohmann::json accounting_of(const model::Configuration& configuration, const model::StepMemory& memory) {
  const model::Engine& engine = configuration.system.matrix_engine(configuration.execution.product_type());
  return {{"peak_tflops", engine.peak_flop_per_s * 1e-12},
          {"memory_bytes", configuration.system.mem1.capacity_bytes},
          {"state_bytes", memory.weight + memory.weight_gradient + memory.optimizer}};
}

}  // namespace

PredictAnswer predict(const PredictQuestion& question) {
  auto [application, execution, source] = read_inputs(question);
  const model::JsonDocument system(question.system.name + ": ", source.system);
  const std::string chosen =
      model::choose_by_keys(application.root(), execution.root(), system.root(), source.options);
  PredictAnswer answer{.configuration = model::read_configuration(application.root(), execution.root(),
                                                                  system.root(), source.options),
                       .prediction = {},
                       .warnings = {}};
  answer.prediction = model::predict(answer.configuration);
  if (model::is_hugging_face(application.root()))
    answer.about =
        model::about_hugging_face(application.root(), question.application.name, question.sequence);
  if (!chosen.empty()) answer.warnings = {chosen};
  if (source.options.model == model::Model::calculon)
    answer.warnings =
        not_used({application.root(), question.application.name}, {system.root(), question.system.name});
  for (auto&& warnings : {model::doubts_of(answer.configuration.system, question.system.name),
                          model::warnings(answer.configuration)})
    answer.warnings.insert(answer.warnings.end(), warnings.begin(), warnings.end());
  return answer;
}

nlohmann::json to_json(const PredictAnswer& answer) {
  const auto& [configuration, prediction, warnings, about] = answer;
  nlohmann::json json = model::to_json(configuration, prediction);
  if (!about.empty()) json["about"] = about;
  if (!prediction.verdict.feasible()) return json;
  json["accounting"] = accounting_of(configuration, prediction.step.memory);
  if (model::has_training_step(configuration.execution))
    json["training_step"] = training::to_json(model::training_step(configuration, prediction));
  return json;
}

}  // namespace assay::answers
