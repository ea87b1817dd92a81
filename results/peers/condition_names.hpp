// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names of conditions and metrics of imported records that readers write and judges compare.
#pragma once

#include "harness/core/names.hpp"

namespace assay::results::peers::condition {

inline constexpr const char* tool = "tool";
inline constexpr const char* hosts = "hosts";  // of one run, separated by commas
inline constexpr const char* source_file = "source_file";
inline constexpr const char* source_line = "source_line";
inline constexpr const char* statistic = "statistic";
inline constexpr const char* executions = "executions";
inline constexpr const char* doubts = "doubts";
inline constexpr const char* warmup_iterations = "warmup_iterations";
inline constexpr const char* threads_per_process = "threads_per_process";
inline constexpr const char* gpus_per_thread = "gpus_per_thread";
inline constexpr const char* aggregated_iterations = "aggregated_iterations";
inline constexpr const char* graph_launches = "graph_launches";
inline constexpr const char* checked = "checked";
inline constexpr const char* unaligned_bytes = "unaligned_bytes";
inline constexpr const char* parallel_init = "parallel_init";
inline constexpr const char* mtu = "mtu";
inline constexpr const char* cq_moderation = "cq_moderation";
inline constexpr const char* inline_bytes = "inline_bytes";
inline constexpr const char* pcie_relaxed_order = "pcie_relaxed_order";
inline constexpr const char* dual_port = "dual_port";
/// Marks of times that are not those of all ranks of one operation: a mean over ranks, groups that ran at
/// once.
inline constexpr const char* averaged_over = "averaged_over";
inline constexpr const char* groups_at_once = "groups_at_once";
using core::names::gpu_name;

/// The doubt by which a log does not show what its host does today.
inline constexpr const char* not_believable = "not_believable";

}  // namespace assay::results::peers::condition

namespace assay::results::peers::metric {

/// The mean that a tool printed, where the times of its iterations are there too.
inline constexpr const char* tool_mean_us = "tool_mean_us";

}  // namespace assay::results::peers::metric
