// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/command.hpp"
#include "harness/cli/model_flags.hpp"
#include "harness/cli/tell_warnings.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/measured_use.hpp"
#include "model/predict/prediction.hpp"
#include "model/predict/read.hpp"

namespace assay::cli {
namespace {

struct PredictFlags : ModelFlags {
  std::string application, execution, system, batch;
  bool json = false;
};

int predict_one(const PredictFlags& flags) {
  if (flags.application.empty() || flags.execution.empty() || flags.system.empty())
    core::usage_error(
        "predict: expected APPLICATION EXECUTION SYSTEM, or --batch FILE (see assay predict --help)");
  const nlohmann::json application = model::read_json(flags.application);
  const nlohmann::json execution = model::read_json(flags.execution);
  const nlohmann::json system = model::read_json(flags.system);
  const model::Configuration configuration = model::read_configuration(
      application, execution, system, {flags.application, flags.execution, flags.system}, flags.options());
  const model::Prediction prediction = model::predict(configuration);
  tell_warnings(model::warnings(configuration));
  if (flags.json)
    std::cout << model::to_json(configuration, prediction).dump(2) << "\n";
  else
    std::cout << model::to_text(configuration, prediction);
  return prediction.verdict.feasible() ? core::exit_code::pass : core::exit_code::fail;
}

nlohmann::json part(const nlohmann::json& line, const char* key, const std::string& where) {
  if (!line.is_object() || !line.contains(key))
    core::usage_error(fmt::format("{}: expected an object with application, execution and system", where));
  return line[key];
}

/// One line's answer; what cannot be used is an answer too, so that lines stay aligned.
nlohmann::json answer(const std::string& text, const std::string& where, const model::ReadOptions& options) {
  try {
    const nlohmann::json line = model::json_from(text, where);
    const model::Configuration configuration = model::read_configuration(
        part(line, "application", where), part(line, "execution", where), part(line, "system", where),
        {where + ": application", where + ": execution", where + ": system"}, options);
    return model::to_json(configuration, model::predict(configuration));
  } catch (const core::Error& error) {
    return {{"status", "rejected"}, {"message", error.what()}};
  }
}

int predict_batch(const PredictFlags& flags) {
  const std::string& path = flags.batch;
  std::ifstream file(path);
  if (!file) core::usage_error(fmt::format("{}: cannot be read", path));
  const model::ReadOptions options = flags.options();
  std::int64_t lines = 0;
  std::int64_t rejected = 0;
  std::string first;
  for (std::string text; std::getline(file, text);) {
    const nlohmann::json result = answer(text, fmt::format("{}:{}", path, ++lines), options);
    std::cout << result.dump() << "\n";
    if (result["status"] == "rejected" && rejected++ == 0) first = result["message"];
  }
  if (lines == 0)
    core::usage_error(fmt::format(
        "{}: holds no line; expected an object with application, execution and system in each", path));
  if (rejected > 0)
    core::usage_error(fmt::format("{} of {} lines cannot be used, the first: {}", rejected, lines, first));
  return core::exit_code::pass;
}

int predict(const PredictFlags& flags) {
  return flags.batch.empty() ? predict_one(flags) : predict_batch(flags);
}

}  // namespace

Command predict_command(CLI::App& parent) {
  const auto flags = std::make_shared<PredictFlags>();
  CLI::App* app =
      parent.add_subcommand("predict", "What a training step of a model would take on a system, by model");
  CLI::Option* first =
      app->add_option("application", flags->application, "the model")->type_name("APPLICATION");
  app->add_option("execution", flags->execution, "how it is spread over processors")->type_name("EXECUTION");
  app->add_option("system", flags->system, "the machine's coefficients")->type_name("SYSTEM");
  app->add_flag("--json", flags->json, "every number, as JSON");
  app->add_option("--batch", flags->batch,
                  "one object {application, execution, system} a line; one result a line")
      ->type_name("FILE.jsonl")
      ->excludes(first);
  add_model(*app, *flags);
  app->footer(
      "The three are Calculon's JSON files, unchanged; --model assay knows more keys (docs/model.md). Exit "
      "code "
      "1: the\n"
      "step does not fit; with --batch that is a result like any other, and 2 says that some line could not "
      "be "
      "used.");
  return {app, [flags] { return predict(*flags); }};
}

}  // namespace assay::cli
