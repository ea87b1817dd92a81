// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as a site: work is queued behind a gate, released at once, timed by events and by SM cycles; clocks,
// power and throttling are read meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/device_place.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/cuda/timing/gated_timer.hpp"

namespace assay::cuda {

/// A device and a stream on it. The device is current while the site lives.
struct DeviceSite {
  explicit DeviceSite(int index) : guard(index), device(describe_device(index)), stream(make_stream()) {}

  DeviceGuard guard;
  Device device;
  Stream stream;
};

/// The site of CUDA benchmarks. B::enqueue() queues ONE iteration on site.stream and does not wait. Optional
/// members of B:
///   launches_per_iteration()  kernels and copies one enqueue() queues; 1 when absent
///   enqueue(iterations)       queues all iterations as one launch, used instead of enqueue()
///   timing(timing)            replaces the event time by what the kernel clocked itself
class GatedSite : public DeviceSite, public core::Condition {
 public:
  using Place = DevicePlace;
  explicit GatedSite(const DevicePlace& place);
  static std::optional<std::string> unavailable(const DevicePlace& place) {
    return device_unavailable(place.gpu);
  }

  template <class B>
  core::Timing time(B& benchmark, std::int64_t iterations) {
    const core::Timing timing = queue(benchmark, iterations);
    if constexpr (requires { benchmark.timing(timing); }) return benchmark.timing(timing);
    return timing;
  }

  std::vector<core::Signal> signals() override;
  void sampling_begins() override;
  void sampling_ends() override { telemetry_->end(); }
  /// sustained_sm_clock_mhz; power_w and energy_j (over the sampling window) where that is long enough.
  std::vector<core::Metric> metrics() override;
  /// The GPU, its clocks and throttling, how its power was taken or why not, versions.
  std::vector<core::Fact> facts() override;

  GatedTimer timer;

 private:
  template <class B>
  core::Timing queue(B& benchmark, std::int64_t iterations) {
    std::int64_t launches = 1;
    if constexpr (requires { benchmark.launches_per_iteration(); })
      launches = benchmark.launches_per_iteration();
    if constexpr (requires { benchmark.enqueue(iterations); })
      return timer.run(1, launches, [&] { benchmark.enqueue(iterations); });
    else
      return timer.run(iterations, launches, [&] { benchmark.enqueue(); });
  }

  std::unique_ptr<Telemetry> telemetry_;
};

}  // namespace assay::cuda
