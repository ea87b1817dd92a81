// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One product on several GPUs of a node at once: a sample takes as long as the slowest GPU. Each GPU's rate
// then, against its rate alone, shows a GPU that is slower than its equals, or that only a loaded node slows
// down.
#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <thread>

#include "gemm/cases.hpp"
#include "gemm/device/device_gemm.hpp"
#include "gemm/host/node_rates.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "harness/cuda/telemetry/sm_clock.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/cuda/timing/stream_gate.hpp"

namespace assay::gemm {
namespace {

constexpr int rounds_alone = 9;
constexpr std::chrono::seconds longest_sample(120);

/// One GPU's part: queued behind a gate of its own, timed by its own events and SM clocks.
class GpuProducts {
 public:
  GpuProducts(const Request& request, int gpu)
      : site_(gpu), gemm_(request, site_), clock_(site_.device.sm_count) {
    // Loads kernels, which must not happen behind a closed gate.
    gate_.close(stream()).open();
    clock_.stamp_before(stream());
    gemm_.enqueue();
    cuda::wait_for(stream(), "multiply once", longest_sample);
  }

  /// Queues products, which begin when the hold is opened.
  [[nodiscard]] cuda::GateHold queue(std::int64_t products) {
    const cuda::DeviceGuard guard(site_.device.index);
    clock_.reset();
    cuda::GateHold hold = gate_.close(stream());
    clock_.stamp_before(stream());
    timer_.start(stream());
    for (std::int64_t i = 0; i < products; ++i) gemm_.enqueue();
    timer_.stop(stream());
    clock_.stamp_after(stream());
    return hold;
  }
  /// Waits for what was queued.
  GpuSample finish() {
    const cuda::DeviceGuard guard(site_.device.index);
    cuda::wait_for(stream(), "run a sample", longest_sample);
    gate_.throw_if_timed_out();
    return {.seconds = timer_.seconds(), .mhz = clock_.read().mhz()};
  }
  core::Verification check() {
    const cuda::DeviceGuard guard(site_.device.index);
    return gemm_.check();
  }
  const std::string& address() const { return site_.device.pci_address; }
  std::vector<core::Fact> facts() const { return gemm_.facts(); }

 private:
  cudaStream_t stream() const { return site_.stream.get(); }

  cuda::DeviceSite site_;
  DeviceGemm gemm_;
  cuda::StreamGate gate_;
  cuda::EventTimer timer_;
  cuda::SmClock clock_;
};

using Gpus = std::span<const std::unique_ptr<GpuProducts>>;

/// Samples each of these GPUs for one product, all at once: gates on all of them, opened one right after the
/// other.
std::vector<GpuSample> run(Gpus gpus, std::int64_t products) {
  std::vector<GpuSample> samples(gpus.size());
  for (const std::int64_t count : cuda::launch_chunks(products, 1).iterations) {
    std::vector<cuda::GateHold> holds;
    for (const auto& gpu : gpus) holds.push_back(gpu->queue(count));
    for (cuda::GateHold& hold : holds) hold.open();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const GpuSample part = gpus[i]->finish();
      samples[i].seconds += part.seconds / static_cast<double>(products);
      samples[i].mhz = part.mhz;
    }
  }
  return samples;
}

class NodeMatmul : public DeclaredNodeMatmul {
 public:
  using Site = core::OwnClock;
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto why = cuda::device_unavailable(static_cast<int>(settings.gpus) - 1)) return why;
    return device_unsupported(settings.request, cuda::describe_device(0));
  }

  NodeMatmul(const Settings& settings, Site&) : flops_(settings.request.problem.flops()) {
    for (int gpu = 0; gpu < static_cast<int>(settings.gpus); ++gpu) {
      gpus_.push_back(std::make_unique<GpuProducts>(settings.request, gpu));
      telemetry_.push_back(cuda::open_telemetry(gpus_.back()->address()));
    }
  }

  core::Timing enqueue(std::int64_t iterations) {
    together_.push_back(run(gpus_, iterations));
    const auto slowest = std::ranges::max_element(together_.back(), {}, &GpuSample::seconds);
    return {.seconds = slowest->seconds * static_cast<double>(iterations)};
  }
  core::Verification check() {
    core::Verification seen;
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      seen = gpus_[gpu]->check();
      if (seen.result == core::Verification::Result::right) continue;
      seen.why = "GPU " + std::to_string(gpu) + " " + gpus_[gpu]->address() + ": " + seen.why;
      return seen;
    }
    return seen;
  }
  void sampling_begins() {
    together_.clear();
    for (const auto& one : telemetry_) one->begin();
  }
  void sampling_ends() {
    for (const auto& one : telemetry_) one->end();
  }
  /// Each GPU's products alone, too.
  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    for (int round = 0; round < rounds_alone; ++round) {
      std::vector<GpuSample>& alone = alone_.emplace_back();
      for (const auto& gpu : gpus_)
        alone.push_back(run({&gpu, 1}, measurement.iterations_per_sample).front());
    }
    return node_metrics(rates());
  }
  std::vector<core::Fact> facts() { return with_versions(node_facts(rates())); }

  /// Addresses and power alone, of a node on which nothing ran alone.
  std::vector<GpuRates> powers() const {
    std::vector<GpuRates> all;
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
      all.push_back({.address = gpus_[gpu]->address(), .power = telemetry_[gpu]->summary().power});
    return all;
  }
  std::vector<core::Fact> with_versions(std::vector<core::Fact> all) const {
    for (core::Fact& fact : gpus_.front()->facts()) all.push_back(std::move(fact));
    for (core::Fact& fact : cuda::version_facts()) all.push_back(std::move(fact));
    return all;
  }

 private:
  std::vector<GpuRates> rates() const {
    std::vector<GpuRates> all = powers();
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      GpuRates rates = gpu_rates(flops_, together_, alone_, gpu);
      rates.address = all[gpu].address;
      rates.power = all[gpu].power;
      all[gpu] = std::move(rates);
    }
    return all;
  }

  double flops_;  // of one product
  std::vector<std::unique_ptr<GpuProducts>> gpus_;
  std::vector<std::unique_ptr<cuda::Telemetry>> telemetry_;  // by GPU
  GpuSamples together_, alone_;
};

/// NodeMatmul in bursts, with pauses for all GPUs at once: what power supplies see of a step of training, in
/// steps up to full load.
class PowerRamp : public DeclaredPowerRamp {
 public:
  using Site = core::OwnClock;
  static std::optional<std::string> unsupported(const Settings& settings) {
    return NodeMatmul::unsupported(settings.node);
  }

  PowerRamp(const Settings& settings, Site& site) : node_(settings.node, site), load_(settings.load) {}

  core::Timing enqueue(std::int64_t iterations) {
    const core::Timing timing = node_.enqueue(iterations);
    const double pause_s = timing.seconds * static_cast<double>(100 - load_) / static_cast<double>(load_);
    std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
    return timing;
  }
  core::Verification check() { return node_.check(); }
  void sampling_begins() { node_.sampling_begins(); }
  void sampling_ends() { node_.sampling_ends(); }
  std::vector<core::Metric> metrics(const core::Measurement&) { return power_metrics(node_.powers()); }
  std::vector<core::Fact> facts() { return node_.with_versions(power_facts(node_.powers())); }

 private:
  NodeMatmul node_;
  std::int64_t load_;
};

}  // namespace

std::vector<core::Case> node_matmul_cases(const machine::Machine&) {
  return {core::case_of<NodeMatmul>(), core::case_of<PowerRamp>()};
}

}  // namespace assay::gemm
