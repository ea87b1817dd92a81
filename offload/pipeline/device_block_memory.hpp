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
#include "offload/pipeline/lane.hpp"

namespace assay::offload {

class DeviceBlockMemory {
 public:
  /// On the current device. Node -1: wherever the host gives it. Every block is fetched with numbers of
  /// its own; what a product writes to is spoiled. Throws core::Error.
  DeviceBlockMemory(const BlockLayout& layout, workload::Dtype dtype, int far_node);

  Transfer transfer(Direction direction, int block) const;
  BlockPlaces places(Slots slots, int block) const {
    return {shared(), fetched(slots, block), written(slots, block)};
  }
  std::byte* shared() const { return near_.data(); }
  std::byte* fetched(Slots slots, int block) const { return near_.data() + layout_.fetched_at(slots, block); }
  std::byte* written(Slots slots, int block) const { return near_.data() + layout_.written_at(slots, block); }
  std::byte* far_fetched(int block) const { return far_.bytes().data() + layout_.far_fetched_at(block); }
  std::byte* far_written(int block) const { return far_.bytes().data() + layout_.far_written_at(block); }

  /// Queues it: nothing that a step has to bring lies in the moving slots. All ones are NaN in every float
  /// type.
  void spoil_moving(cudaStream_t stream) const;

 private:
  void fill(workload::Dtype dtype);

  BlockLayout layout_;
  HostMemory far_;
  cuda::DeviceBuffer near_;
};

}  // namespace assay::offload
