// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host/node_rates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::gemm {
namespace {

double median(const GpuSamples& samples, std::size_t gpu, double GpuSample::* of, std::size_t from,
              std::size_t to) {
  std::vector<double> values;
  for (std::size_t i = from; i < to; ++i) values.push_back(samples[i][gpu].*of);
  return core::quantile_of(values, 0.5);
}

double median(const GpuSamples& samples, std::size_t gpu, double GpuSample::* of) {
  return median(samples, gpu, of, 0, samples.size());
}

double drift_percent(const GpuSamples& samples, std::size_t gpu) {
  const std::size_t quarter = std::max<std::size_t>(1, samples.size() / 4);
  const double first = median(samples, gpu, &GpuSample::seconds, 0, quarter);
  const double last = median(samples, gpu, &GpuSample::seconds, samples.size() - quarter, samples.size());
  return 100 * (first / last - 1);
}

/// How it was taken, too, or why it was not.
void add_power(const GpuRates& gpu, std::size_t number, std::vector<core::Fact>& facts) {
  const auto add = [&](const std::string& name, const core::Scalar& value) {
    facts.emplace_back(fmt::format("gpu{}_{}", number, name), value);
  };
  if (gpu.power.power_w) add(core::names::power_w, *gpu.power.power_w);
  for (const auto& [name, value] : gpu.power.facts()) add(name, value);
}

}  // namespace

GpuRates gpu_rates(double flops, const GpuSamples& together, const GpuSamples& alone, std::size_t gpu) {
  if (together.empty() || alone.empty()) return {};
  return {.tflops_together = 1e-12 * flops / median(together, gpu, &GpuSample::seconds),
          .tflops_alone = 1e-12 * flops / median(alone, gpu, &GpuSample::seconds),
          .mhz_together = median(together, gpu, &GpuSample::mhz),
          .mhz_alone = median(alone, gpu, &GpuSample::mhz),
          .drift_percent = drift_percent(together, gpu)};
}

std::vector<core::Metric> power_metrics(const std::vector<GpuRates>& gpus) {
  double power_w = 0;
  for (const GpuRates& gpu : gpus) {
    if (!gpu.power.power_w) return {};
    power_w += *gpu.power.power_w;
  }
  return {{.name = core::names::power_w, .unit = "W", .value = power_w}};
}

std::vector<core::Fact> power_facts(const std::vector<GpuRates>& gpus) {
  std::vector<core::Fact> facts;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    facts.emplace_back(fmt::format("gpu{}_pci_address", i), gpus[i].address);
    add_power(gpus[i], i, facts);
  }
  return facts;
}

std::vector<core::Metric> node_metrics(const std::vector<GpuRates>& gpus) {
  double share = 1;
  for (const GpuRates& gpu : gpus) {
    if (gpu.tflops_alone <= 0) return {};
    share = std::min(share, gpu.tflops_together / gpu.tflops_alone);
  }
  std::vector<core::Metric> metrics{{.name = "least_share_of_alone", .unit = "", .value = share}};
  for (core::Metric& power : power_metrics(gpus)) metrics.push_back(std::move(power));
  return metrics;
}

std::vector<core::Fact> node_facts(const std::vector<GpuRates>& gpus) {
  std::vector<core::Fact> facts;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const auto add = [&](const char* name, const core::Scalar& value) {
      facts.emplace_back(fmt::format("gpu{}_{}", i, name), value);
    };
    const GpuRates& gpu = gpus[i];
    add("pci_address", gpu.address);
    add(core::names::tflops_together, gpu.tflops_together);
    add(core::names::tflops_alone, gpu.tflops_alone);
    if (std::isfinite(gpu.mhz_together)) add(core::names::mhz_together, gpu.mhz_together);
    if (std::isfinite(gpu.mhz_alone)) add("mhz_alone", gpu.mhz_alone);
    add("drift_percent", gpu.drift_percent);
    add_power(gpu, i, facts);
  }
  return facts;
}

}  // namespace assay::gemm
