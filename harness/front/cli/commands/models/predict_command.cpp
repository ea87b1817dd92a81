// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/input_lines.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/predict_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/model_flags.hpp"
#include "harness/front/cli/flags/search_flags.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"
#include "model/predict/answer/batch_answers.hpp"
#include "model/predict/answer/efficiency_sources.hpp"
#include "model/predict/read/megatron.hpp"

namespace assay::cli {
namespace {

struct PredictFlags : answers::PredictQuestion {
  std::string hf, megatron;
  std::string batch;
  bool json = false;
};

int predict_one(const PredictFlags& flags) {
  if (flags.application.empty() || flags.execution.empty() || flags.system.empty())
    core::usage_error(
        "predict: expected APPLICATION EXECUTION SYSTEM, or --batch FILE (see assay predict --help)");
  const answers::PredictAnswer answer = answers::predict(flags);
  print_warnings(answer.warnings);
  if (flags.json)
    std::cout << core::json_text(answers::to_json(answer), 2) << "\n";
  else
    std::cout << fmt::format(
        "{}{}{}", fmt::join(answer.about, "\n"), answer.about.empty() ? "" : "\n",
        model::with_sources(model::to_text(answer.configuration, answer.prediction),
                            model::efficiency_sources(flags.system, flags.settings, flags.coefficients)));
  return answer.prediction.verdict.feasible() ? core::exit_code::pass : core::exit_code::fail;
}

int predict_batch(const PredictFlags& flags) {
  if (!flags.settings.empty() || flags.gpus > 0)
    core::usage_error("--set, --gpus: expected no --batch, whose lines say their own");
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
  if (!batch.chosen().empty()) print_warnings({batch.chosen()});
  for (const std::string& text : batch.not_used())
    if (!text.empty()) print_warnings({text});
  if (batch.lines() == 0)
    core::usage_error(fmt::format(
        "{}: holds no line; expected an object with application, execution and system in each", path));
  if (batch.rejected() > 0)
    core::usage_error(fmt::format("lines that cannot be used: {} of {}, the first: {}", batch.rejected(),
                                  batch.lines(), batch.first_message()));
  return core::exit_code::pass;
}

/// Takes --hf's file as APPLICATION and --megatron's line as EXECUTION.
PredictFlags with_inputs(PredictFlags flags) {
  if (flags.hf.empty() && flags.megatron.empty()) return flags;
  std::vector<std::string> given;
  for (const model::JsonSource* source : {&flags.application, &flags.execution, &flags.system})
    if (!source->empty()) given.push_back(source->name);
  const std::size_t needed = 1U + (flags.hf.empty() ? 1 : 0) + (flags.megatron.empty() ? 1 : 0);
  if (given.size() != needed || !flags.batch.empty())
    core::usage_error(fmt::format("expected{}{} SYSTEM with {}", flags.hf.empty() ? " APPLICATION" : "",
                                  flags.megatron.empty() ? " EXECUTION" : "",
                                  flags.hf.empty() ? "--megatron" : "--hf"));
  flags.model = "assay";
  flags.system = {given.back()};
  flags.application = {flags.hf.empty() ? given.front() : flags.hf};
  flags.execution = {given[given.size() > 1 ? given.size() - 2 : 0]};
  if (flags.megatron.empty()) return flags;
  const model::MegatronExecution read = model::read_megatron(flags.megatron);
  flags.execution = {.name = "--megatron", .text = core::json_text(read.execution)};
  if (read.sequence > 0) flags.sequence = read.sequence;
  if (!read.unused.empty())
    print_warnings(
        {fmt::format("--megatron: not used, may change the step: {}", fmt::join(read.unused, ", "))});
  return flags;
}

int predict(const PredictFlags& given) {
  const PredictFlags flags = with_inputs(given);
  return flags.batch.empty() ? predict_one(flags) : predict_batch(flags);
}

}  // namespace

Command predict_command(CLI::App& parent) {
  const auto flags = std::make_shared<PredictFlags>();
  CLI::App* app =
      parent.add_subcommand("predict", "Predict the time of a training step of a model on a system");
  CLI::Option* first = add_file(*app, "application", flags->application.name, "the model", "APPLICATION");
  add_file(*app, "execution", flags->execution.name, "how it is spread over processors", "EXECUTION");
  add_file(*app, "system,--system", flags->system.name, "the machine: a system file, or one of assay fit all",
           "SYSTEM");
  app->add_flag("--json", flags->json, "print every number as JSON");
  add_file(*app, "--hf", flags->hf, "Hugging Face's config.json as APPLICATION; implies --model assay",
           "config.json");
  app->add_option("--megatron", flags->megatron,
                  "command line of Megatron-LM or NeMo, with torchrun's, as EXECUTION; implies --model assay")
      ->type_name("LINE");
  add_file(*app, "--batch", flags->batch, "one {application, execution, system} a line; one result a line",
           "FILE.jsonl")
      ->excludes(first);
  app->add_option("--gpus", flags->gpus, "on N GPUs: data parallelism grows, the batch stays")
      ->type_name("N")
      ->check(counts());
  app->add_option("--set", flags->settings,
                  "replace a value: tensor_par=4, seq_size=8192, networks[0].size=16, ...; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_model(*app, *flags);
  app->footer(
      "The three are Calculon's JSON files; --model assay knows more keys (docs/reference/files.md).\n"
      "Exit code 1: the step does not fit (with --batch: 0); 2: a file or line cannot be used.");
  return {app, [flags] { return predict(*flags); }};
}

}  // namespace assay::cli
