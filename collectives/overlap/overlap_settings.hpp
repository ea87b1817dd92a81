// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Settings of a pass with exchanges, wherever it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "collectives/overlap/layer_shape.hpp"
#include "collectives/overlap/pass_plan.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

struct OverlapSettings {
  CaseMaker maker = {};
  LayerShape shape = {};
  PassPlan plan = {};
  Content content = {};                // of what is exchanged
  std::vector<Problem> problems = {};  // by exchange of the plan
  core::OwnClock::Place place = {};
};

inline constexpr const char* one_rank_exchanges_nothing = "one rank exchanges nothing: --ranks 2 or more";

struct ShapeLimits {
  std::int64_t width, tokens;
};

/// How a pass exchanges: gradients in buckets (all_reduce), or weights gathered ahead (all_gather).
core::Axis exchanges_axis(Operation operation, std::vector<core::Value> bucket_bytes);

/// An all_reduce goes with a backward pass, an all_gather with a forward pass. Throws core::Error (usage) for
/// what is beyond its range.
OverlapSettings overlap_settings(const core::Point& point, const CaseMaker& maker, Operation operation,
                                 DataType exchanged, const ShapeLimits& limits);

core::Work overlap_work(const OverlapSettings& settings);
std::vector<core::Fact> overlap_derived(const OverlapSettings& settings);

}  // namespace assay::collectives
