// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Axes, settings, work and metrics that the cases of a step's traffic between GPU and host share.
#pragma once

#include <string_view>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/training/host_traffic.hpp"
#include "offload/workload/step_progress.hpp"

namespace assay::offload {

inline constexpr std::string_view workload_measures =
    "what a training step moves between a GPU and its host, next to emulated compute";

struct WorkloadDefaults {
  std::int64_t shrink = 1, layers = 4, tokens = 2048, tflops = 400;
};

std::vector<core::Axis> workload_axes(const WorkloadDefaults& defaults);
/// Throws a usage Error that names the axis.
training::HostStep workload_step(const core::Point& point);

core::Work workload_work(const training::HostStep& step);
std::vector<core::Fact> workload_derived(const training::HostStep& step);
std::vector<core::Metric> workload_metrics(const training::HostStep& step,
                                           const std::vector<HostStepTimes>& times);

}  // namespace assay::offload
