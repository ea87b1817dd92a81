// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU, one way or both at once, by copy engine or by a kernel that addresses the
// host's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/benchmark.hpp"
#include "harness/cuda/buffers.hpp"
#include "offload/copy/host_memory.hpp"
#include "offload/copy/two_streams.hpp"

namespace assay::offload {

enum class CopyDirection { host_to_device, device_to_host, both };
enum class CopyBy { engine, sm };

struct CopyWay {
  CopyDirection direction = CopyDirection::host_to_device;
  CopyBy by = CopyBy::engine;
  MemoryKind memory = MemoryKind::pinned;
  std::int64_t bytes = 0;  // each way
  int node = -1;           // of the host's memory
  int blocks = 0;          // of the kernel

  bool to_device() const { return direction != CopyDirection::device_to_host; }
  bool to_host() const { return direction != CopyDirection::host_to_device; }
  /// Pageable memory is copied by the calling thread, which must not wait behind a gate.
  bool is_queued() const { return memory != MemoryKind::pageable; }
};

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
  /// Of CopyDirection::both: seconds to the device (first) and to the host, both at once behind a gate.
  TwoStreams::Seconds time_each();
  /// What lies at the targets against the sources.
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
