// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of a GPU: all of them in pinned memory of the host, the slots in device memory, laid out as
// BlockLayout says.
#pragma once

#include <cstddef>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/handles.hpp"
#include "offload/copy/host_memory.hpp"
#include "offload/pipeline/block_layout.hpp"

namespace assay::offload {

class DeviceBlockMemory : public BlockAddresses {
 public:
  /// On the current device. Node -1: wherever the host gives it. Every block is fetched with numbers of
  /// its own; what a product writes to is spoiled. Throws core::Error.
  DeviceBlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node);

  /// Queues it: nothing that a step has to bring lies in the moving slots. All ones are NaN in every float
  /// type.
  void spoil_moving(cudaStream_t stream) const;

 private:
  void fill(workload::Dtype dtype);

  HostMemory far_;
  cuda::DeviceBuffer near_;
};

}  // namespace assay::offload
