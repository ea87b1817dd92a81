// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The case of the pipeline: its axes, and which points this machine can run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "offload/cases.hpp"
#include "offload/pipeline/pipeline.hpp"

namespace assay::offload {

/// offload.host.pipeline.
std::vector<core::Case> pipeline_cases(const Surroundings& around);

/// Throws a usage Error naming axis and value.
PipelineSettings pipeline_settings(const core::Point& point);

/// Why this machine cannot run it; said before anything is allocated, with the bytes where they do not fit.
/// `available_bytes` of node N (-1: the machine).
std::optional<std::string> cannot_run(const machine::Machine& machine, const PipelineSettings& settings,
                                      const std::function<std::int64_t(int node)>& available_bytes);

}  // namespace assay::offload
