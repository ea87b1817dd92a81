// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of copies of all GPUs of a node at once, compared with those of each GPU alone. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::offload {

/// Seconds of each GPU for one copy, by sample.
using GpuSeconds = std::vector<std::vector<double>>;

/// `bytes` of one GPU. worst_gb_per_s: the slowest GPU of each sample, all at once; alone_worst_gb_per_s: the
/// slowest of those alone; least_share_of_alone: over the GPUs, the least of what is left of a GPU's own
/// bandwidth alone, by its medians. Empty without samples of both.
std::vector<core::Metric> node_metrics(std::int64_t bytes, const GpuSeconds& together,
                                       const GpuSeconds& alone);
/// gpu0_gb_per_s and gpu0_alone_gb_per_s of each GPU: medians.
std::vector<core::Fact> node_facts(std::int64_t bytes, const GpuSeconds& together, const GpuSeconds& alone);

}  // namespace assay::offload
