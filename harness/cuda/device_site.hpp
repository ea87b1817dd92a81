// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as a site: work is queued behind a gate, released at once, timed by events and by SM cycles.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/gated_timer.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/telemetry.hpp"

namespace assay::cuda {

/// Where a CUDA benchmark runs. The device is current while the site lives.
struct DeviceSite {
  explicit DeviceSite(int index) : guard(index), device(describe_device(index)), stream(make_stream()) {}

  DeviceGuard guard;
  Device device;
  Stream stream;
};

/// What every trial on a device reports beside its own numbers: clocks, power, throttling, versions.
class DeviceConditions {
 public:
  DeviceConditions(const DeviceSite& site, const GatedTimer& timer);
  std::vector<core::Signal> signals();
  void begin() { telemetry_->begin(); }
  void end() { telemetry_->end(); }
  /// sustained_sm_clock_mhz; power_w and energy_j (over the sampling window) where the GPU tells them.
  std::vector<core::Metric> metrics() const;
  std::vector<core::Fact> facts() const;

 private:
  const Device& device_;
  const GatedTimer& timer_;
  std::unique_ptr<Telemetry> telemetry_;
};

/// Joins a benchmark class with a device. B::enqueue() queues ONE iteration on site.stream and does not wait.
/// Optional members of B:
///   launches_per_iteration()  kernels and copies one enqueue() queues; 1 when absent
///   enqueue(iterations)       queues all iterations as one launch, used instead of enqueue()
///   timing(timing)            replaces the event time by what the kernel clocked itself
///   metrics(measurement), facts()
template <class B>
  requires core::Benchmark<B, DeviceSite>
class DeviceTrial final : public core::Trial {
 public:
  DeviceTrial(const core::Point& point, int device)
      : site_(device),
        timer_(site_.stream.get(), site_.device.sm_count),
        conditions_(site_, timer_),
        benchmark_(point, site_) {}

  core::Timing run(std::int64_t iterations) override {
    const core::Timing timing = queue(iterations);
    if constexpr (requires { benchmark_.timing(timing); }) return benchmark_.timing(timing);
    return timing;
  }
  core::Verification verify() override { return benchmark_.check(); }
  std::vector<core::Signal> signals() override { return conditions_.signals(); }
  void sampling_begins() override {
    timer_.clear_totals();
    conditions_.begin();
  }
  void sampling_ends() override { conditions_.end(); }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    std::vector<core::Metric> all = conditions_.metrics();
    if constexpr (requires { benchmark_.metrics(measurement); })
      for (core::Metric& metric : benchmark_.metrics(measurement)) all.push_back(std::move(metric));
    return all;
  }
  std::vector<core::Fact> facts() override {
    std::vector<core::Fact> all = conditions_.facts();
    if constexpr (requires { benchmark_.facts(); })
      for (core::Fact& fact : benchmark_.facts()) all.push_back(std::move(fact));
    return all;
  }

  B& benchmark() { return benchmark_; }

 private:
  std::int64_t launches() const {
    if constexpr (requires { benchmark_.launches_per_iteration(); })
      return benchmark_.launches_per_iteration();
    return 1;
  }

  core::Timing queue(std::int64_t iterations) {
    if constexpr (requires { benchmark_.enqueue(iterations); })
      return timer_.run(1, launches(), [this, iterations] { benchmark_.enqueue(iterations); });
    else
      return timer_.run(iterations, launches(), [this] { benchmark_.enqueue(); });
  }

  DeviceSite site_;
  GatedTimer timer_;
  DeviceConditions conditions_;
  B benchmark_;
};

/// The case of a benchmark class with static name, measures, headline, axes() and work(point); optional
/// static unsupported(point) and derived(point).
template <class B>
core::Case device_case() {
  core::Case made;
  made.name = std::string(B::name);
  made.measures = std::string(B::measures);
  made.headline = B::headline;
  made.axes = B::axes();
  made.work = [](const core::Point& point) { return B::work(point); };
  if constexpr (requires(const core::Point& point) { B::derived(point); })
    made.derived = [](const core::Point& point) { return B::derived(point); };
  made.unsupported = [](const core::Point& point) -> std::optional<std::string> {
    if (auto reason = device_unavailable(point)) return reason;
    if constexpr (requires { B::unsupported(point); }) return B::unsupported(point);
    return std::nullopt;
  };
  made.prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<DeviceTrial<B>>(point, gpu_of(point));
  };
  return made;
}

}  // namespace assay::cuda
