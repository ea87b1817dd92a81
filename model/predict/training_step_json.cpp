// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/predict/training_step.hpp"

namespace assay::model {
namespace {

nlohmann::json operation_json(const Execution& execution, const StepOperation& one) {
  nlohmann::json json = {{"name", one.name}, {"times", std::llround(one.times)}};
  if (one.groups.empty()) {
    json["compute_us"] = 1e6 * one.compute_s;
    return json;
  }
  if (one.collective == Collective::p2p)
    json["pattern"] = execution.interleaving > 1 ? "shift" : "pipeline";
  else
    json["collective"] = collective_names[static_cast<std::size_t>(one.collective)];
  json["groups"] = one.groups;
  json["bytes"] = fmt::format("{}B", std::max(1LL, std::llround(one.bytes)));
  return json;
}

}  // namespace

nlohmann::json to_json(const Configuration& configuration, const TrainingStep& step) {
  nlohmann::json json = {{"name", "predicted step"},
                         {"ranks", configuration.execution.num_procs},
                         {"processor_usage", step.processor_usage},
                         {"stream", nlohmann::json::array()}};
  for (const StepStream& stream : step.streams) {
    nlohmann::json& one = json["stream"].emplace_back(nlohmann::json{{"name", stream.name}});
    if (!stream.after.empty()) one["after"] = stream.after;
    for (const StepOperation& operation : stream.operations)
      one["op"].push_back(operation_json(configuration.execution, operation));
  }
  return json;
}

}  // namespace assay::model
