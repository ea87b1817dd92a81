// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One GPU's part of copies that several do at once: queued behind a gate of its own, timed by its own events.
#pragma once

#include <memory>

#include "harness/cuda/event_timer.hpp"
#include "harness/cuda/stream_gate.hpp"
#include "offload/copy/host_copy.hpp"

namespace assay::offload {

class GpuQueue {
 public:
  /// Makes `gpu` current only while it works. Throws core::Error.
  GpuQueue(const CopyWay& way, int gpu);
  ~GpuQueue();
  GpuQueue(const GpuQueue&) = delete;
  GpuQueue& operator=(const GpuQueue&) = delete;

  /// Queues `iterations` copies, which begin when the hold is opened.
  [[nodiscard]] cuda::GateHold queue(std::int64_t iterations);
  /// Waits for what was queued; its seconds.
  double seconds();
  std::int64_t launches() const;
  core::Verification verify();
  int gpu() const { return gpu_; }

 private:
  struct OnDevice;

  int gpu_;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace assay::offload
