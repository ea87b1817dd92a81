// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/predict_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "model/search/system_file.hpp"

namespace assay::answers {
namespace {

/// The files as trees, which settings change.
struct Trees {
  model::EditedJson application, execution;
  model::SystemFile system;
};

struct Part {
  std::string_view opening;  // of a key that names its file
  bool has = false;
};

void apply(Trees& trees, const std::string& setting) {
  auto [key, value] = model::assignment_from(setting);
  const std::array parts{Part{"model.", trees.application.has(key)},
                         Part{"execution.", trees.execution.has(key)},
                         Part{"system.", trees.system.has(key)}};
  const auto* named = std::ranges::find_if(parts, [&key = key](const Part& part) {
    return key.starts_with(part.opening) && key.size() > part.opening.size();
  });
  if (named != parts.end())
    key.erase(0, named->opening.size());
  else if (std::ranges::count_if(parts, &Part::has) == 1)
    named = std::ranges::find_if(parts, &Part::has);
  else
    core::usage_error(
        fmt::format("--set {}: {} has that key; expected model.KEY, execution.KEY or system.KEY", setting,
                    std::ranges::any_of(parts, &Part::has) ? "more than one file" : "no file"));
  if (named->opening == "system.") return trees.system.set(key + "=" + value);
  (named->opening == "model." ? trees.application : trees.execution).set_or_add({key, value});
}

/// Puts the execution on this many GPUs: its groups stay, and their number changes.
void spread(model::EditedJson& execution, std::int64_t gpus) {
  std::int64_t group = 1;
  for (const char* degree : {"tensor_par", "pipeline_par", "context_par"})
    if (execution.has(degree))
      group *= std::max(std::int64_t{1},
                        static_cast<std::int64_t>(std::clamp(execution.number(degree), 1.0, 1e6)));
  if (gpus % group != 0)
    core::usage_error(fmt::format(
        "--gpus {}: expected a multiple of {}, the tensor, pipeline and context parallelism of {}", gpus,
        group, execution.name()));
  const std::int64_t replicas = gpus / group;
  execution.set("num_procs", static_cast<double>(gpus));
  execution.set("data_par", static_cast<double>(replicas));
}

}  // namespace

PredictInputs read_inputs(const PredictQuestion& question) {
  if (question.settings.empty() && question.gpus == 0)
    return {model::read_document(question.application), model::read_document(question.execution),
            model::read_system_source(question.system, question.options())};
  Trees trees{{model::read_json(question.application), question.application.name},
              {model::read_json(question.execution), question.execution.name},
              model::SystemFile::read(question.system, question.options())};
  for (const std::string& setting : question.settings) apply(trees, setting);
  if (question.gpus > 0) spread(trees.execution, question.gpus);
  return {model::JsonDocument(question.application.name + ": ", trees.application.json()),
          model::JsonDocument(question.execution.name + ": ", trees.execution.json()),
          {trees.system.json(), trees.system.options()}};
}

}  // namespace assay::answers
