// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates of products on all GPUs of a node at once, compared with those on each alone. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/telemetry/window_power.hpp"

namespace assay::gemm {

struct GpuSample {
  double seconds = 0;  // for one product
  double mhz = 0;      // SM clock meanwhile; NaN where unknown
};
/// Indexed by sample and GPU.
using GpuSamples = std::vector<std::vector<GpuSample>>;

/// Medians of one GPU; drift: how much faster the last quarter of its samples was than the first.
struct GpuRates {
  std::string address = {};
  double tflops_together = 0, tflops_alone = 0, mhz_together = 0, mhz_alone = 0, drift_percent = 0;
  cuda::WindowPower power = {};  // together
};

/// `flops` of one product. Zeroes without samples of both.
GpuRates gpu_rates(double flops, const GpuSamples& together, const GpuSamples& alone, std::size_t gpu);
/// least_share_of_alone; power_w of the node where every GPU reports it.
std::vector<core::Metric> node_metrics(const std::vector<GpuRates>& gpus);
/// power_w of the node, where every GPU reports it.
std::vector<core::Metric> power_metrics(const std::vector<GpuRates>& gpus);
/// gpu0_pci_address, gpu0_power_w, gpu0_power_by, ...
std::vector<core::Fact> power_facts(const std::vector<GpuRates>& gpus);
/// gpu0_pci_address, gpu0_tflops_together, ...
std::vector<core::Fact> node_facts(const std::vector<GpuRates>& gpus);

}  // namespace assay::gemm
