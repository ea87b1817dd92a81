// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU, one way or both at once, by copy engine or by a kernel that addresses the
// host's memory.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/buffers.hpp"
#include "offload/copy/copy_way.hpp"
#include "offload/copy/host_memory.hpp"
#include "offload/copy/two_streams.hpp"

namespace assay::offload {

/// Buffers and streams of one GPU for one way of copying.
class HostCopy {
 public:
  /// Sources are filled, targets spoiled. `main` carries one direction, and is what a caller times.
  HostCopy(const CopyWay& way, cudaStream_t main);
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// Queues one copy of each direction; `main` continues once all are done. Blocks where !way.is_queued().
  void enqueue();
  /// Queue entries of one enqueue().
  std::int64_t launches() const { return streams_ ? TwoStreams::entries : 1; }
  /// Times CopyDirection::both: seconds to the device (first) and to the host, both at once behind a gate.
  TwoStreams::Seconds time_each();
  /// Compares what lies at the targets with the sources.
  core::Verification verify();

 private:
  void copy_to_device(cudaStream_t stream);
  void copy_to_host(cudaStream_t stream);

  CopyWay way_;
  cudaStream_t main_;
  std::optional<TwoStreams> streams_;  // of CopyDirection::both
  TwoStreams::Queue to_device_, to_host_;
  std::optional<HostMemory> host_source_, host_target_;
  std::optional<cuda::DeviceBuffer> device_source_, device_target_;
};

}  // namespace assay::offload
