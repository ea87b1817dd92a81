// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/core/input_lines.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/model_flags.hpp"
#include "harness/front/cli/tell_warnings.hpp"
#include "harness/training/step_file.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/batch_answers.hpp"
#include "model/predict/measured_use.hpp"
#include "model/predict/prediction.hpp"
#include "model/predict/system_source.hpp"
#include "model/predict/training_step.hpp"

namespace assay::cli {
namespace {

struct PredictFlags : ModelFlags {
  std::string application, execution, system, batch;
  bool json = false;
};

/// What MFU is a share of, and what must be held: weights, gradients and the optimizer's state of a
/// processor.
nlohmann::json accounting_of(const model::Configuration& configuration, const model::StepMemory& memory) {
  const model::Engine& engine = configuration.system.matrix_engine(configuration.execution.datatype);
  return {{"peak_tflops", engine.peak_flop_per_s * 1e-12},
          {"memory_bytes", configuration.system.mem1.capacity_bytes},
          {"state_bytes", memory.weight + memory.weight_gradient + memory.optimizer}};
}

/// With what `assay fabric` reads, which has no step of sharded parameters.
nlohmann::json json_of(const model::Configuration& configuration, const model::Prediction& prediction) {
  nlohmann::json json = model::to_json(configuration, prediction);
  if (!prediction.verdict.feasible()) return json;
  json["accounting"] = accounting_of(configuration, prediction.step.memory);
  if (!configuration.execution.parameter_sharding)
    json["training_step"] = training::to_json(model::training_step(configuration, prediction));
  return json;
}

int predict_one(const PredictFlags& flags) {
  if (flags.application.empty() || flags.execution.empty() || flags.system.empty())
    core::usage_error(
        "predict: expected APPLICATION EXECUTION SYSTEM, or --batch FILE (see assay predict --help)");
  const model::JsonDocument application = model::read_document(flags.application);
  const model::JsonDocument execution = model::read_document(flags.execution);
  const model::SystemSource source = model::read_system_source(flags.system, flags.options());
  const model::JsonDocument system(flags.system + ": ", source.system);
  const model::Configuration configuration =
      model::read_configuration(application.root(), execution.root(), system.root(), source.options);
  const model::Prediction prediction = model::predict(configuration);
  print_warnings(model::warnings(configuration));
  if (flags.json)
    std::cout << json_of(configuration, prediction).dump(2) << "\n";
  else
    std::cout << model::to_text(configuration, prediction);
  return prediction.verdict.feasible() ? core::exit_code::pass : core::exit_code::fail;
}

int predict_batch(const PredictFlags& flags) {
  constexpr std::size_t most_line_bytes = std::size_t{16} << 20U, piece_bytes = 1 << 16;
  const std::string& path = flags.batch;
  core::InputLines lines(path, "a file of JSON lines", most_line_bytes);
  model::BatchAnswers batch(path, flags.options());
  std::string answers;
  while (lines.next()) {
    if (lines.too_long())
      batch.reject("is longer than 16 MiB", answers);
    else
      batch.answer(lines.line(), answers);
    if (answers.size() < piece_bytes) continue;
    std::cout << answers;
    answers.clear();
  }
  std::cout << answers;
  if (batch.lines() == 0)
    core::usage_error(fmt::format(
        "{}: holds no line; expected an object with application, execution and system in each", path));
  if (batch.rejected() > 0)
    core::usage_error(fmt::format("lines that cannot be used: {} of {}, the first: {}", batch.rejected(),
                                  batch.lines(), batch.first_message()));
  return core::exit_code::pass;
}

int predict(const PredictFlags& flags) {
  return flags.batch.empty() ? predict_one(flags) : predict_batch(flags);
}

}  // namespace

Command predict_command(CLI::App& parent) {
  const auto flags = std::make_shared<PredictFlags>();
  CLI::App* app =
      parent.add_subcommand("predict", "Predict the time of a training step of a model on a system");
  CLI::Option* first = add_file(*app, "application", flags->application, "the model", "APPLICATION");
  add_file(*app, "execution", flags->execution, "how it is spread over processors", "EXECUTION");
  add_file(*app, "system,--system", flags->system, "the machine: a system file, or one of assay fit all",
           "SYSTEM");
  app->add_flag("--json", flags->json, "print every number as JSON");
  add_file(*app, "--batch", flags->batch, "one {application, execution, system} a line; one result a line",
           "FILE.jsonl")
      ->excludes(first);
  add_model(*app, *flags);
  app->footer(
      "The three are Calculon's JSON files; --model assay knows more keys (docs/reference/files.md).\n"
      "Exit code 1: the step does not fit (with --batch: 0); 2: a file or line cannot be used.");
  return {app, [flags] { return predict(*flags); }};
}

}  // namespace assay::cli
