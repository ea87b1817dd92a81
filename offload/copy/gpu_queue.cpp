// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/gpu_queue.hpp"

#include <chrono>

namespace assay::offload {
namespace {

constexpr std::chrono::seconds longest_sample(120);

}  // namespace

/// Everything that is made, and given back, with the GPU current.
struct GpuQueue::OnDevice {
  explicit OnDevice(const CopyWay& way) : copy(way, stream.get()) {}

  cuda::Stream stream = cuda::make_stream();
  cuda::StreamGate gate;
  cuda::EventTimer timer;
  HostCopy copy;
};

GpuQueue::GpuQueue(const CopyWay& way, int gpu) : gpu_(gpu) {
  const cuda::DeviceGuard guard(gpu);
  on_device_ = std::make_unique<OnDevice>(way);
  // Loads kernels, which must not happen behind a closed gate.
  on_device_->gate.close(on_device_->stream.get()).open();
  on_device_->copy.enqueue();
  cuda::wait_for(on_device_->stream.get(), "copy once", longest_sample);
}

GpuQueue::~GpuQueue() {
  int before = 0;
  static_cast<void>(cudaGetDevice(&before));
  static_cast<void>(cudaSetDevice(gpu_));
  on_device_.reset();
  static_cast<void>(cudaSetDevice(before));
}

cuda::GateHold GpuQueue::queue(std::int64_t iterations) {
  const cuda::DeviceGuard guard(gpu_);
  cudaStream_t stream = on_device_->stream.get();
  cuda::GateHold hold = on_device_->gate.close(stream);
  on_device_->timer.start(stream);
  for (std::int64_t i = 0; i < iterations; ++i) on_device_->copy.enqueue();
  on_device_->timer.stop(stream);
  return hold;
}

double GpuQueue::seconds() {
  const cuda::DeviceGuard guard(gpu_);
  cuda::wait_for(on_device_->stream.get(), "run a sample", longest_sample);
  on_device_->gate.throw_if_timed_out();
  return on_device_->timer.seconds();
}

std::int64_t GpuQueue::launches() const { return on_device_->copy.launches(); }

core::Verification GpuQueue::verify() {
  const cuda::DeviceGuard guard(gpu_);
  return on_device_->copy.verify();
}

}  // namespace assay::offload
