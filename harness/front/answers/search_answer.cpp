// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/search_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/front/answers/unused.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/read/hugging_face.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/system/doubtful_system.hpp"
#include "model/search/distinct.hpp"

namespace assay::answers {
namespace {

/// The field's words, in the order of datatype_names, which are Calculon's.
constexpr std::array<std::string_view, model::datatype_names.size()> datatype_words{"fp8", "fp16", "bf16",
                                                                                    "fp32"};

// Switches without effect make two to four mappings of one.
constexpr std::size_t ranks_alike = 4;

model::Constraints constraints_of(const SearchQuestion& question) {
  model::Constraints all;
  for (const std::string& text : question.at_most) all.add(model::Constraints::Side::at_most, text);
  for (const std::string& text : question.at_least) all.add(model::Constraints::Side::at_least, text);
  return all;
}

model::Question asked_of(const SearchQuestion& question, const model::SystemFile& system) {
  if (system.model() == model::Model::calculon && (question.most_context > 1 || question.shards_parameters))
    core::usage_error(
        "--context, --shard-parameters: Calculon's model has neither; expected --model assay too");
  const model::Datatype datatype = datatype_of(question);
  model::PricedSystem priced = system.priced(datatype);
  return {.application = model::read_application(model::read_document(question.application).root(),
                                                 system.model(), question.sequence),
          .system = std::move(priced.system),
          .processors = question.processors,
          .max_batch = question.max_batch,
          .datatype = datatype,
          .fused = question.tries_fused(),
          .unfused = question.tries_unfused(),
          .model = system.model(),
          .coefficients = std::move(priced.coefficients),
          .fused_attention = question.tries_fused_attention(),
          .unfused_attention = question.tries_unfused_attention(),
          .most_context = question.most_context,
          .shards_parameters = question.shards_parameters};
}

/// The system, with the model that the question or the keys of its files choose; what is said of that.
std::pair<model::SystemFile, std::string> chosen_system(const SearchQuestion& question) {
  model::SystemFile system = read_system_file(question);
  const model::JsonDocument application = model::read_document(question.application);
  const model::JsonDocument described(question.system.name + ": ", system.json());
  std::string said =
      model::choose_by_keys(application.root(), std::nullopt, described.root(), system.options());
  return {std::move(system), std::move(said)};
}

/// Warnings about the files, which hold whatever the search finds.
std::vector<std::string> warnings_of_files(const SearchQuestion& question, const model::SystemFile& system,
                                           const model::Question& asked) {
  std::vector<std::string> warnings;
  if (asked.model == model::Model::calculon) {
    const model::JsonDocument application = model::read_document(question.application);
    const model::JsonDocument described(question.system.name + ": ", system.json());
    warnings =
        not_used({application.root(), question.application.name}, {described.root(), question.system.name});
  }
  if (const model::JsonDocument application = model::read_document(question.application);
      model::is_hugging_face(application.root()))
    warnings = model::about_hugging_face(application.root(), question.application.name, question.sequence);
  for (std::string& doubt : model::doubts_of(asked.system, question.system.name))
    warnings.push_back(std::move(doubt));
  return warnings;
}

/// Coefficients of the system file, and those of files of assay fit.
std::vector<model::Coefficient> varied(const model::Question& asked, const model::SystemFile& system,
                                       double assumed) {
  std::vector<model::Coefficient> all = model::coefficients(system, asked.datatype, assumed);
  std::ranges::move(model::measured_coefficients(asked), std::back_inserter(all));
  return all;
}

}  // namespace

model::Application read_application(const model::JsonSource& source, const ModelChoice& choice) {
  return model::read_application(model::read_document(source).root(), choice.options().model,
                                 choice.sequence);
}

model::SystemFile read_system_file(const SearchSubject& subject) {
  model::SystemFile file = model::SystemFile::read(subject.system, subject.options());
  for (const std::string& setting : subject.settings) file.set(setting);
  return file;
}

model::Datatype datatype_of(const SearchSubject& subject) {
  for (std::size_t type = 0; type < datatype_words.size(); ++type)
    if (subject.datatype == datatype_words[type] || subject.datatype == model::datatype_names[type])
      return static_cast<model::Datatype>(type);
  core::usage_error(fmt::format(
      "datatype: expected fp8, fp16, bf16 or fp32 (or float8, float16, bfloat16, float32), got '{}'",
      core::printable(subject.datatype, 40)));
}

SearchAnswer search(const SearchQuestion& question) {
  const auto [system, chosen] = chosen_system(question);
  SearchAnswer answer{.asked = asked_of(question, system),
                      .constraints = constraints_of(question),
                      .result = {},
                      .sensitivity = {},
                      .warnings = {}};
  answer.warnings = warnings_of_files(question, system, answer.asked);
  if (!chosen.empty()) answer.warnings.insert(answer.warnings.begin(), chosen);
  // Calculon prints every combination of switches.
  const bool is_assays = answer.asked.model == model::Model::assay;
  const auto top = static_cast<std::size_t>(question.top);
  const model::SearchOptions options{.top = is_assays ? ranks_alike * top : top,
                                     .threads = question.threads,
                                     .front = question.pareto,
                                     .constraints = answer.constraints};
  answer.result = model::search(answer.asked, options);
  if (is_assays) answer.result.best = model::distinct(answer.asked, answer.result.best, top);
  if (answer.result.best.empty()) return answer;
  const model::Candidate& best = answer.result.best.front();
  for (std::string& warning : model::warnings(model::configuration_of(answer.asked, best.execution)))
    answer.warnings.push_back(std::move(warning));
  if (question.sensitivity)
    answer.sensitivity = model::sensitivity(answer.asked, system, options, best,
                                            varied(answer.asked, system, question.plus_minus / 100));
  return answer;
}

std::int64_t count_space(const SearchQuestion& question) {
  return model::count_space(asked_of(question, chosen_system(question).first));
}

nlohmann::json to_json(const SearchQuestion& question, const SearchAnswer& answer) {
  nlohmann::json best = model::to_json(answer.asked, answer.result);
  const nlohmann::json counts = model::counts_json(answer.result);
  if (!question.pareto && !question.sensitivity) {
    if (answer.asked.model == model::Model::assay) best["counts"] = counts;
    return best;
  }
  nlohmann::json all = nlohmann::json::object();
  all["best"] = std::move(best);
  all["counts"] = counts;
  if (question.pareto) all["pareto"] = model::to_json(answer.result.front);
  if (question.sensitivity)
    all["sensitivity"] = answer.sensitivity ? model::to_json(*answer.sensitivity) : nlohmann::json::array();
  return all;
}

}  // namespace assay::answers
