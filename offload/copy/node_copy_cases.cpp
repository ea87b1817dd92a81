// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host copies of several GPUs at once: a sample takes as long as the slowest GPU.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>

#include "harness/core/measure/measure.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/cuda/timing/stream_gate.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/copy/copy_declarations.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/copy/node_metrics.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

constexpr int rounds_alone = 9;

constexpr std::chrono::seconds longest_sample(120);

/// One GPU's part of copies that several do at once: queued behind a gate of its own, timed by its own
/// events.
class GpuQueue {
 public:
  /// Makes `gpu` current only while it works. Throws core::Error.
  GpuQueue(const CopyWay& way, int gpu) : gpu_(gpu) {
    const cuda::DeviceGuard guard(gpu);
    on_device_ = std::make_unique<OnDevice>(way);
    // Loads kernels, which must not happen behind a closed gate.
    on_device_->gate.close(on_device_->stream.get()).open();
    on_device_->copy.enqueue();
    cuda::wait_for(on_device_->stream.get(), "copy once", longest_sample);
  }
  ~GpuQueue() {
    int before = 0;
    static_cast<void>(cudaGetDevice(&before));
    static_cast<void>(cudaSetDevice(gpu_));
    on_device_.reset();
    static_cast<void>(cudaSetDevice(before));
  }
  GpuQueue(const GpuQueue&) = delete;
  GpuQueue& operator=(const GpuQueue&) = delete;

  /// Queues `iterations` copies, which begin when the hold is opened.
  [[nodiscard]] cuda::GateHold queue(std::int64_t iterations) {
    const cuda::DeviceGuard guard(gpu_);
    cudaStream_t stream = on_device_->stream.get();
    cuda::GateHold hold = on_device_->gate.close(stream);
    on_device_->timer.start(stream);
    for (std::int64_t i = 0; i < iterations; ++i) on_device_->copy.enqueue();
    on_device_->timer.stop(stream);
    return hold;
  }
  /// Waits for what was queued; its seconds.
  double seconds() {
    const cuda::DeviceGuard guard(gpu_);
    cuda::wait_for(on_device_->stream.get(), "run a sample", longest_sample);
    on_device_->gate.throw_if_timed_out();
    return on_device_->timer.seconds();
  }
  std::int64_t launches() const { return on_device_->copy.launches(); }
  core::Verification verify() {
    const cuda::DeviceGuard guard(gpu_);
    return on_device_->copy.verify();
  }
  int gpu() const { return gpu_; }

 private:
  /// Everything that is made, and given back, with the GPU current.
  struct OnDevice {
    explicit OnDevice(const CopyWay& way) : copy(way, stream.get()) {}

    cuda::Stream stream = cuda::make_stream();
    cuda::StreamGate gate;
    cuda::EventTimer timer;
    HostCopy copy;
  };

  int gpu_;
  std::unique_ptr<OnDevice> on_device_;
};

class NodeCopyCase : public DeclaredNodeCopy {
 public:
  using Site = core::OwnClock;
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto why = cuda::device_unavailable()) return why;
    if (settings.gpus > cuda::device_count())
      return fmt::format("gpus={} but this process sees {} device(s)", settings.gpus, cuda::device_count());
    return no_space(settings.way, settings.gpus, free_device_bytes(0), host::available_memory_bytes(-1));
  }
  NodeCopyCase(const Settings& settings, Site&) : bytes_(settings.bytes_of_gpu()) {
    for (int gpu = 0; gpu < static_cast<int>(settings.gpus); ++gpu) {
      addresses_.push_back(cuda::describe_device(gpu).pci_address);
      telemetry_.push_back(cuda::open_telemetry(addresses_.back()));
      CopyWay way = settings.way;
      way.node = nearest_node(*settings.machine, addresses_.back());
      gpus_.push_back(std::make_unique<GpuQueue>(way, gpu));
    }
  }

  core::Timing enqueue(std::int64_t iterations) {
    std::vector<double> seconds = run(gpus_, iterations);
    const core::Timing timing{.seconds = *std::ranges::max_element(seconds)};
    for (double& one : seconds) one /= static_cast<double>(iterations);
    together_.push_back(std::move(seconds));
    return timing;
  }

  core::Verification check() {
    core::Verification seen;
    for (const auto& gpu : gpus_) {
      seen = gpu->verify();
      if (seen.result == core::Verification::Result::right) continue;
      seen.why = fmt::format("GPU {}: {}", gpu->gpu(), seen.why);
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

  /// Copies each GPU's alone, too.
  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    const std::int64_t iterations = measurement.iterations_per_sample;
    for (int round = 0; round < rounds_alone; ++round) {
      std::vector<double>& seconds = alone_.emplace_back();
      for (const auto& gpu : gpus_)
        seconds.push_back(run({&gpu, 1}, iterations).front() / static_cast<double>(iterations));
    }
    return node_metrics(bytes_, together_, alone_);
  }

  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> all = node_facts(bytes_, together_, alone_);
    for (std::size_t gpu = 0; gpu < addresses_.size(); ++gpu) {
      all.emplace_back(fmt::format("gpu{}_pci_address", gpu), addresses_[gpu]);
      for (core::Fact& fact : telemetry_[gpu]->facts())
        all.emplace_back(fmt::format("gpu{}_{}", gpu, fact.first), std::move(fact.second));
    }
    for (core::Fact& fact : cuda::version_facts()) all.push_back(std::move(fact));
    return all;
  }

 private:
  /// Seconds of each of these GPUs for `iterations` copies, all at once: gates on all of them, opened one
  /// right after the other.
  static std::vector<double> run(std::span<const std::unique_ptr<GpuQueue>> gpus, std::int64_t iterations) {
    std::vector<double> seconds(gpus.size());
    for (const std::int64_t count : cuda::launch_chunks(iterations, gpus.front()->launches()).iterations) {
      std::vector<cuda::GateHold> holds;
      for (const auto& gpu : gpus) holds.push_back(gpu->queue(count));
      for (cuda::GateHold& hold : holds) hold.open();
      for (std::size_t i = 0; i < gpus.size(); ++i) seconds[i] += gpus[i]->seconds();
    }
    return seconds;
  }

  std::int64_t bytes_;  // of one GPU and iteration
  std::vector<std::unique_ptr<GpuQueue>> gpus_;
  std::vector<std::unique_ptr<cuda::Telemetry>> telemetry_;  // by GPU
  std::vector<std::string> addresses_;
  GpuSeconds together_, alone_;
};

}  // namespace

std::vector<core::Case> node_copy_cases(const Surroundings& around) {
  return {core::case_of<NodeCopyCase>(around)};
}

}  // namespace assay::offload
