// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Page-locked host memory and device memory of the same size: one holds what is copied, the other what was.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cuda/buffers.hpp"
#include "offload/copy/host_memory.hpp"

namespace assay::offload {

enum class CopyFrom { host, device };

class CopyBuffers {
 public:
  /// The source is filled, the target spoiled. Throws core::Error.
  CopyBuffers(CopyFrom from, std::int64_t bytes, int node);

  std::int64_t bytes() const { return bytes_; }
  /// As kernels address them.
  const std::byte* source() const { return from_ == CopyFrom::host ? host_.on_device() : device_.data(); }
  std::byte* target() const { return from_ == CopyFrom::host ? device_.data() : host_.on_device(); }
  /// Queues a copy by engine of this part.
  void enqueue(std::int64_t offset, std::int64_t bytes, cudaStream_t stream) const;
  /// The target is wrong again: all of it in device memory, which is queued; a word of every page in the
  /// host's, at once, while nothing is under way.
  void spoil(cudaStream_t stream) const;
  /// Whether the first `bytes` are not at the target; nothing may be under way.
  std::optional<std::string> wrong(std::int64_t bytes) const;

 private:
  CopyFrom from_;
  std::int64_t bytes_;
  HostMemory host_;
  cuda::DeviceBuffer device_;
};

}  // namespace assay::offload
