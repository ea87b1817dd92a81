// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/block_memory.hpp"

#include <cstring>

#include "offload/arena_of.hpp"
#include "offload/pipeline/block_numbers.hpp"

namespace assay::offload {

BlockMemory::BlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node, int near_node)
    : BlockAddresses{laid_out},
      far_(arena_of(laid_out.far_bytes(), far_node)),
      near_(arena_of(laid_out.near_bytes(), near_node)) {
  far = far_.data();
  near = near_.data();
  std::memset(near_.data(), 0xff, near_.size());
  fill_with_numbers(near_.data(), layout.block.shared_bytes, dtype, 0);
  for (int slot = 0; slot < layout.shape.resident; ++slot)
    fill_with_numbers(fetched(Slots::quiet, slot), layout.block.fetched_bytes, dtype, 0);
  for (int i = 0; i < layout.shape.blocks; ++i)
    fill_with_numbers(far_fetched(i), layout.block.fetched_bytes, dtype, i + 1);
  spoil_far_written();
}

void BlockMemory::spoil_far_written() {
  for (int i = 0; i < layout.shape.blocks; ++i)
    std::memset(far_written(i), 0xff, static_cast<std::size_t>(layout.block.written_bytes));
}

}  // namespace assay::offload
