// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device/device_block_memory.hpp"

#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "harness/core/process/side_by_side.hpp"
#include "harness/cuda/check.hpp"
#include "offload/pipeline/block_numbers.hpp"

namespace assay::offload {
namespace {

constexpr int spoiled = 0xff;

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

DeviceBlockMemory::DeviceBlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node)
    : BlockAddresses{laid_out},
      far_(MemoryKind::pinned, laid_out.far_bytes(), far_node),
      near_(size_of(laid_out.near_bytes())) {
  far = far_.bytes().data();
  near = near_.data();
  fill(dtype);
}

void DeviceBlockMemory::fill(workload::Dtype dtype) {
  core::side_by_side(static_cast<std::size_t>(layout.shape.blocks), [&](std::size_t at) {
    const int block = static_cast<int>(at);
    fill_with_numbers(far_fetched(block), layout.block.fetched_bytes, dtype, block + 1);
    std::memset(far_written(block), spoiled, size_of(layout.block.written_bytes));
  });
  cuda::check(cudaMemset(near_.data(), spoiled, near_.size()), "spoil the device's blocks");
  std::vector<std::byte> input(size_of(layout.block.shared_bytes));
  fill_with_numbers(input.data(), layout.block.shared_bytes, dtype, 0);
  cuda::check(cudaMemcpy(near_.data(), input.data(), input.size(), cudaMemcpyHostToDevice),
              "copy the inputs to the device");
  for (int slot = 0; slot < layout.shape.resident; ++slot)
    cuda::check(cudaMemcpy(fetched(Slots::quiet, slot), far_fetched(slot % layout.shape.blocks),
                           size_of(layout.block.fetched_bytes), cudaMemcpyHostToDevice),
                "copy weights to the device");
  cuda::check(cudaDeviceSynchronize(), "fill the device's blocks");
}

void DeviceBlockMemory::spoil_moving(cudaStream_t stream) const {
  cuda::check(cudaMemsetAsync(fetched(Slots::moving, 0), spoiled, size_of(layout.set_bytes()), stream),
              "spoil the slots");
}

}  // namespace assay::offload
