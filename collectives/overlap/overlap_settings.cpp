// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlap_settings.hpp"

#include <utility>

#include "collectives/measure/bandwidth.hpp"
#include "harness/core/measure/within.hpp"

namespace assay::collectives {
namespace {

using core::Domain;

std::vector<int> layers_of_exchanges(const PassPlan& plan) {
  return plan.is_backward() ? plan.bucket_layers : std::vector<int>(static_cast<std::size_t>(plan.layers), 1);
}

/// Weights and gradients of a layer.
std::int64_t elements_of(const LayerShape& shape) { return shape.width * shape.width; }

PassPlan plan_of(const core::Point& point, const LayerShape& shape, DataType exchanged) {
  PassPlan plan{.layers = static_cast<int>(core::within(point, "layers", 1, 1024))};
  if (shape.backward)
    plan.bucket_layers = buckets_of(plan.layers, bytes_of(exchanged) * elements_of(shape),
                                    core::within(point, "bucket_bytes", 1, std::int64_t{1} << 40));
  else
    plan.depth = static_cast<int>(core::within(point, "depth", 0, 1024));
  return plan;
}

}  // namespace

core::Axis exchanges_axis(Operation operation, std::vector<core::Value> bucket_bytes) {
  if (operation == Operation::all_reduce)
    return {"bucket_bytes", "of gradients that are exchanged together", Domain::sizes,
            std::move(bucket_bytes)};
  return {"depth",
          "layers whose gather may run ahead; 0: none, a control",
          Domain::integers,
          {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}}};
}

OverlapSettings overlap_settings(const core::Point& point, const CaseMaker& maker, Operation operation,
                                 DataType exchanged, const ShapeLimits& limits) {
  OverlapSettings settings{.maker = maker,
                           .shape = {.width = core::within(point, "width", 1, limits.width),
                                     .tokens = core::within(point, "tokens", 1, limits.tokens),
                                     .backward = operation == Operation::all_reduce},
                           .content = {.type = exchanged, .seed = 1}};
  settings.plan = plan_of(point, settings.shape, exchanged);
  for (const int layers : layers_of_exchanges(settings.plan))
    settings.problems.push_back({.operation = operation,
                                 .ranks = maker.around.ranks,
                                 .count = layers * elements_of(settings.shape),
                                 .node_of = maker.around.node_of});
  return settings;
}

core::Work overlap_work(const OverlapSettings& settings) {
  double bytes = 0;
  for (const Problem& problem : settings.problems)
    bytes += counted_bytes(problem, bytes_of(settings.content.type));
  return {.bytes = bytes, .bytes_counted = "exchanged by a rank in a pass, once (S of algbw)"};
}

std::vector<core::Fact> overlap_derived(const OverlapSettings& settings) {
  return {{"flops", settings.plan.layers * flops_of(settings.shape)}};
}

}  // namespace assay::collectives
