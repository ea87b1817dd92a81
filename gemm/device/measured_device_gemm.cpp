// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt's products as what is measured, with their efficiency and energy. Each point is listed on every
// machine, and unsupported in the driver's words where there is no GPU.
#include <cmath>
#include <utility>

#include "gemm/device/device_gemm.hpp"
#include "gemm/device/device_peak.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {
namespace {

/// The highest SM clock of this GPU: what NVML reported when the machine was described, else the runtime's
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

template <class Declaration>
class MeasuredDeviceGemm : public DeviceProductCase<Declaration> {
 public:
  struct Settings : Declaration::Settings {
    machine::Machine machine = {};
  };
  static Settings settings(const core::Point& point, const machine::Machine& machine) {
    return {Declaration::settings(point), machine};
  }

  MeasuredDeviceGemm(const Settings& settings, cuda::GatedSite& site)
      : site_(site), gemm_(settings.request, site) {
    const cuda::Device& device = site.device;
    if (const auto flops =
            flop_per_cycle_per_sm({device.compute_major, device.compute_minor, device.name}, dtype()))
      peak_ = with_clock({.flop_per_cycle_per_sm = *flops, .sm_count = device.sm_count, .clock_source = {}},
                         settings.machine, device);
  }

  void enqueue() { gemm_.enqueue(); }
  core::Verification check() { return gemm_.check(); }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    const std::vector<core::Metric> read = site_.metrics();
    DeviceReadings readings{.sustained_mhz = metric_named(read, core::names::sustained_sm_clock_mhz),
                            .power_w = metric_named(read, core::names::power_w),
                            .cycles_per_iteration = {}};
    if (!measurement.sm_cycles.empty()) {
      const double cycles = core::quantile_of(measurement.sm_cycles, 0.5);
      if (std::isfinite(cycles)) readings.cycles_per_iteration = cycles;
    }
    return device_metrics(gemm_.request().problem.flops(), measurement.interval, peak_, readings,
                          site_.device.sm_count);
  }

  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> all = gemm_.facts();
    const cuda::Device& device = site_.device;
    all.emplace_back("peak_source", peak_ ? peak_->source(dtype(), device.compute_major, device.compute_minor)
                                          : "no peak is known for " + to_string(dtype()) + " on this GPU");
    return all;
  }

 private:
  Dtype dtype() const { return gemm_.request().problem.dtype; }

  cuda::GatedSite& site_;
  DeviceGemm gemm_;
  std::optional<DevicePeak> peak_;
};

}  // namespace

std::vector<core::Case> measured_device_gemm_cases(const machine::Machine& machine) {
  return {core::case_of<MeasuredDeviceGemm<DeclaredDeviceMatmul>>(machine),
          core::case_of<MeasuredDeviceGemm<DeclaredDeviceTransformer>>(machine),
          core::case_of<MeasuredDeviceGemm<DeclaredDeviceAttention>>(machine)};
}

}  // namespace assay::gemm
