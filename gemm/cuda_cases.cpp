// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA cases: each point listed on every machine, and unsupported in the driver's words where there is no
// GPU.
#include <cmath>
#include <memory>
#include <utility>

#include "gemm/cases.hpp"
#include "gemm/device_gemm.hpp"
#include "gemm/device_metrics.hpp"
#include "harness/core/measure.hpp"
#include "harness/cuda/check.hpp"

namespace assay::gemm {
namespace {

using RequestOf = Request (*)(const core::Point&);

/// The benchmark class of one kind of point.
template <RequestOf request_of>
class DeviceGemmOf : public DeviceGemm {
 public:
  static core::Work work(const core::Point& point) {
    return gemm::work(on_device(request_of(point)).problem);
  }
  DeviceGemmOf(const core::Point& point, cuda::DeviceSite& site)
      : DeviceGemm(on_device(request_of(point)), site) {}
};

/// The highest SM clock of this GPU: what NVML told when the machine was looked at, else the runtime's
/// attribute.
DevicePeak with_clock(DevicePeak peak, const machine::Machine& machine, const cuda::Device& device) {
  for (const machine::Gpu& gpu : machine.gpus)
    if (gpu.pcie.address == device.pci_address && gpu.max_sm_clock_mhz > 0) {
      peak.clock_mhz = gpu.max_sm_clock_mhz;
      peak.clock_source = "max SM clock, NVML";
      return peak;
    }
  int khz = 0;
  cuda::check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device.index), "read the clock rate");
  peak.clock_mhz = khz * 1e-3;
  peak.clock_source = "clock rate, CUDA attribute";
  return peak;
}

std::optional<double> metric_named(const std::vector<core::Metric>& metrics, const char* name) {
  for (const core::Metric& metric : metrics)
    if (metric.name == name) return metric.value;
  return std::nullopt;
}

/// The device trial, with efficiency and energy added to its metrics.
template <RequestOf request_of>
class GemmTrial final : public core::Trial {
 public:
  GemmTrial(const core::Point& point, const machine::Machine& machine)
      : device_(cuda::describe_device(cuda::gpu_of(point))), inner_(point, device_.index) {
    const Dtype dtype = inner_.benchmark().request().problem.dtype;
    if (const auto flops = flop_per_cycle_per_sm(device_.compute_major, device_.compute_minor, dtype))
      peak_ = with_clock({.flop_per_cycle_per_sm = *flops, .sm_count = device_.sm_count, .clock_source = {}},
                         machine, device_);
  }

  core::Timing run(std::int64_t iterations) override { return inner_.run(iterations); }
  core::Verification verify() override { return inner_.verify(); }
  std::vector<core::Signal> signals() override { return inner_.signals(); }
  void sampling_begins() override { inner_.sampling_begins(); }
  void sampling_ends() override { inner_.sampling_ends(); }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    std::vector<core::Metric> all = inner_.metrics(measurement);
    DeviceReadings readings{.sustained_mhz = metric_named(all, "sustained_sm_clock_mhz"),
                            .power_w = metric_named(all, "power_w"),
                            .cycles_per_iteration = {}};
    if (!measurement.sm_cycles.empty()) {
      const double cycles = core::quantile_of(measurement.sm_cycles, 0.5);
      if (std::isfinite(cycles)) readings.cycles_per_iteration = cycles;
    }
    const double flops = inner_.benchmark().request().problem.flops();
    for (core::Metric& metric :
         device_metrics(flops, measurement.interval, peak_, readings, device_.sm_count))
      all.push_back(std::move(metric));
    return all;
  }

  std::vector<core::Fact> facts() override {
    std::vector<core::Fact> all = inner_.facts();
    const Dtype dtype = inner_.benchmark().request().problem.dtype;
    all.emplace_back("peak_source", peak_ ? peak_->source(dtype, device_.compute_major, device_.compute_minor)
                                          : "no peak is known for " + to_string(dtype) + " on this GPU");
    return all;
  }

 private:
  cuda::Device device_;
  cuda::DeviceTrial<DeviceGemmOf<request_of>> inner_;
  std::optional<DevicePeak> peak_;
};

template <RequestOf request_of>
core::Case cuda_case(const machine::Machine& machine, std::vector<core::Axis> axes) {
  axes.push_back(cuda::gpu_axis());
  core::Case made;
  made.headline = core::Headline::tflops;
  made.axes = std::move(axes);
  made.work = [](const core::Point& point) {
    return impossible_shape(point) ? core::Work{} : work(on_device(request_of(point)).problem);
  };
  made.derived = [](const core::Point& point) {
    return impossible_shape(point) ? std::vector<core::Fact>{} : derived(on_device(request_of(point)));
  };
  const auto refusals = std::make_shared<DeviceRefusals>();
  made.unsupported = [refusals](const core::Point& point) -> std::optional<std::string> {
    if (auto reason = impossible_shape(point)) return reason;
    const Request request = on_device(request_of(point));  // bad words are errors with and without a GPU
    if (auto reason = cuda::device_unavailable(point)) return reason;
    return refusals->of(point, request);
  };
  made.prepare = [machine](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<GemmTrial<request_of>>(point, machine);
  };
  return made;
}

}  // namespace

std::vector<core::Case> cuda_cases(const machine::Machine& machine) {
  const auto integers = [](std::initializer_list<std::int64_t> values) {
    return std::vector<core::Value>(values.begin(), values.end());
  };
  core::Case matmul = cuda_case<matmul_request>(
      machine, matmul_axes({.sizes = integers({1024, 2048, 4096, 8192}),
                            .dtypes = {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "int8"}}));
  matmul.name = "gemm.cuda.matmul";
  matmul.measures = "FLOP rate of cuBLASLt";
  core::Case transformer =
      cuda_case<transformer_request>(machine, transformer_axes({.models = {"llama3-70b"},
                                                                .tokens = integers({4096}),
                                                                .tps = integers({1, 2, 4, 8, 16, 32, 64}),
                                                                .dtypes = {"bf16"}}));
  transformer.name = "gemm.cuda.transformer";
  transformer.measures =
      "FLOP rate of the GEMMs of one rank's transformer block, against tensor parallelism, by cuBLASLt";
  return {std::move(matmul), std::move(transformer)};
}

}  // namespace assay::gemm
