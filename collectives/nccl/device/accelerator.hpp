// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GPU functions that a rank needs besides NCCL: memory, copies, a stream, and work kept to be replayed.
// cuda_accelerator.cpp has the real one; the tests' own is host memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "collectives/data_type.hpp"

namespace assay::collectives {

/// Work that was kept instead of run.
class Replay {
 public:
  virtual ~Replay() = default;
  virtual void enqueue() = 0;
};

/// All of it on one device and one stream. Every call throws core::Error (cuda) where it fails.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  virtual cudaStream_t stream() = 0;
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) noexcept = 0;
  /// Both wait until it is done.
  virtual void to_device(std::byte* to, std::span<const std::byte> from) = 0;
  virtual void to_host(std::span<std::byte> to, const std::byte* from) = 0;
  /// These are enqueued. As reduce_into() does.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual void reduce(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                      std::int64_t count) = 0;
  /// As collectives::average() does.
  virtual void average(DataType type, int ranks, std::byte* into, std::int64_t count) = 0;
  /// Whether all that was enqueued is done; never waits.
  virtual bool is_idle() = 0;

  /// From now on what this thread enqueues is kept.
  virtual void begin_keeping() = 0;
  virtual std::unique_ptr<Replay> end_keeping() = 0;
};

/// Why this process has no GPU, in the driver's words. Makes no context: each rank's process would make one
/// on the first GPU.
std::optional<std::string> why_no_gpu();

/// The device is current from now on, also afterwards: to go back to the first one would make a context
/// there. Throws core::Error (cuda) in the driver's words.
std::unique_ptr<Accelerator> make_cuda_accelerator(int device);

}  // namespace assay::collectives
