// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/workload_settings.hpp"

#include <algorithm>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/units.hpp"
#include "harness/workload/transformer.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

training::HostHolds holds_of(const std::string& word) {
  const bool all = word == "all";
  return {.optimizer = all || word == "optimizer",
          .activations = all || word == "activations",
          .checkpoint = all || word == "checkpoint"};
}

}  // namespace

std::vector<core::Axis> workload_axes(const WorkloadDefaults& defaults) {
  return {{"holds",
           "what of a step the host holds: gradients go there and weights come back, or activations go and "
           "come back, or a checkpoint goes",
           Domain::words,
           {Value("optimizer"), Value("activations"), Value("checkpoint"), Value("all")},
           {"optimizer", "activations", "checkpoint", "all"}},
          {"model", "a preset's name or a model file (.toml)", Domain::words, {Value("llama3-8b")}},
          {"shrink",
           "divides the model's feature and head counts; 1: as it is",
           Domain::integers,
           {defaults.shrink}},
          {"layers", "blocks of a step; 0: the model's", Domain::integers, {defaults.layers}},
          {"tokens", "of one sequence, in a step", Domain::integers, {defaults.tokens}},
          {"ranks", "that share optimizer and checkpoint", Domain::integers, {std::int64_t{8}}},
          {"tflops", "rate of the compute that is emulated, TFLOP/s", Domain::integers, {defaults.tflops}}};
}

training::HostStep workload_step(const core::Point& point) {
  constexpr std::int64_t most = 1 << 20;
  training::HostStepInput input{
      .model = workload::shrunk(workload::find_model(point.text("model")), within(point, "shrink", 1, most)),
      .tokens = within(point, "tokens", 1, most),
      .ranks = within(point, "ranks", 1, most),
      .flops_per_s = 1e12 * static_cast<double>(within(point, "tflops", 1, most)),
      .holds = holds_of(point.text("holds"))};
  if (const std::int64_t layers = within(point, "layers", 0, 1000); layers > 0) input.model.layers = layers;
  return training::host_step(input);
}

core::Work workload_work(const training::HostStep& step) {
  return {.bytes = step.bytes(true) + step.bytes(false),
          .bytes_counted = "of all transfers of a step, both directions"};
}

std::vector<core::Fact> workload_derived(const training::HostStep& step) {
  return {{"transfers", static_cast<std::int64_t>(step.transfers.size())},
          {"to_host_bytes", static_cast<std::int64_t>(step.bytes(true))},
          {"from_host_bytes", static_cast<std::int64_t>(step.bytes(false))}};
}

std::vector<core::Metric> workload_metrics(const training::HostStep& step,
                                           const std::vector<HostStepTimes>& times) {
  using Times = const HostStepTimes&;
  const double compute_s = step.compute_s();
  const auto busiest = [](Times one) { return std::max(one.link_s[0], one.link_s[1]); };
  const auto exposed = [=](Times one) { return std::max(0.0, one.whole_s - compute_s); };
  std::vector<core::Metric> metrics{
      {.name = "compute_us", .unit = "us", .value = 1e6 * compute_s},
      core::median_metric(times, "exposed_us", "us", [=](Times one) { return 1e6 * exposed(one); }),
      core::median_metric(times, "exposed_share", "", [=](Times one) { return exposed(one) / one.whole_s; }),
      core::median_metric(times, "link_us", "us", [=](Times one) { return 1e6 * busiest(one); })};
  for (const auto& [name, direction] :
       {std::pair{"from_host_gb_per_s", Direction::in}, {"to_host_gb_per_s", Direction::out}})
    if (const double bytes = step.bytes(direction == Direction::out); bytes > 0)
      metrics.push_back(core::median_metric(times, name, "GB/s", [=](Times one) {
        return core::gb_per_s(bytes, one.link_s[static_cast<std::size_t>(direction)]);
      }));
  return metrics;
}

}  // namespace assay::offload
