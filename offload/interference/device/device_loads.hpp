// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads that run on a GPU, or between it and the host, at the same time as something else.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/workload/problem.hpp"
#include "offload/interference/device/device_load_kind.hpp"

namespace assay::offload {

struct LoadMemory {
  std::int64_t device_bytes = 0;
  std::int64_t host_bytes = 0;  // page-locked, and ordinary: where it is filled from and compared with
  std::int64_t peer_bytes = 0;  // on the other GPU of a collective
};
LoadMemory memory_of(DeviceLoadKind kind, const DeviceLoadSettings& settings, std::int64_t l2_bytes);

/// Work that is queued, a quantum at a time.
class DeviceLoad {
 public:
  virtual ~DeviceLoad() = default;
  virtual void enqueue(cudaStream_t stream) = 0;
  /// Makes the results so far wrong, which only later quanta right again; queued, while none is under way.
  virtual void spoil(cudaStream_t stream) = 0;
  /// Queue entries of a quantum, at most.
  virtual std::int64_t launches() const { return 2; }  // a product that is split has a second kernel
  virtual double quantum_bytes() const { return 0; }   // a copy's count once
  virtual double quantum_flops() const { return 0; }
  /// Priority of the stream that it is fed to next to a victim.
  virtual cuda::StreamPriority priority() const { return cuda::StreamPriority::ordinary; }
  /// Blocks of a quantum that go over the multiprocessors in waves, where that is known and relevant.
  virtual std::optional<std::int64_t> blocks_of_work() const { return std::nullopt; }
  /// Names what is wrong in the results since spoil(), all quanta having ended; empty where nothing is.
  virtual std::optional<std::string> wrong() = 0;
  virtual std::vector<core::Fact> facts() const { return {}; }
};

/// Quantum of a copy by an engine: all of it, or the next piece, in turn over the buffers.
enum class CopyQuantum { all, piece };

/// Device memory of a product with its operands in rotation, workspace counted.
std::int64_t gemm_bytes(const workload::Problem& problem, std::int64_t l2_bytes);
/// `problem`: bf16, forward. Runs it once for every operand set. Throws core::Error; Unsupported where the
/// library has no algorithm.
std::unique_ptr<DeviceLoad> make_gemm_load(const workload::Problem& problem, const cuda::Device& device);

/// Everything is allocated and filled, and every kernel has run once. The device must be current. Not for
/// spin. Throws core::Error.
std::unique_ptr<DeviceLoad> make_device_load(DeviceLoadKind kind, const DeviceLoadSettings& settings,
                                             const cuda::Device& device, CopyQuantum quantum);

}  // namespace assay::offload
