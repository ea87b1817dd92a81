// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/block_memory.hpp"

#include <bit>
#include <cstring>

#include "offload/arena_of.hpp"

namespace assay::offload {
namespace {

/// Values within [-0.5, 0.5), from position and seed alone; fp32 or bf16.
void fill_with_numbers(std::byte* data, std::int64_t bytes, workload::Dtype dtype, int seed) {
  const std::int64_t element = workload::element_bytes(dtype);
  const auto seed_bits = static_cast<std::uint64_t>(seed) << 40;
  for (std::int64_t i = 0; i < bytes / element; ++i) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(i + 1) + seed_bits) * 0x9E3779B97F4A7C15u;
    const float value = static_cast<float>(mixed >> 48) / 65536.0F - 0.5F;
    // The upper half of an fp32 is its bf16, rounded towards zero.
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) >> (32 - 8 * element);
    std::memcpy(data + i * element, &bits, static_cast<std::size_t>(element));
  }
}

}  // namespace

std::int64_t far_bytes(const Block& block, const PipelineShape& shape) {
  return shape.blocks * block.slot_bytes();
}

std::int64_t near_bytes(const Block& block, const PipelineShape& shape) {
  return block.slot_bytes() * shape.resident * 2 + block.input_bytes;
}

BlockMemory::BlockMemory(const Block& block, const PipelineShape& shape, workload::Dtype dtype, int far_node,
                         int near_node)
    : block_(block),
      shape_(shape),
      far_(arena_of(far_bytes(block, shape), far_node)),
      near_(arena_of(near_bytes(block, shape), near_node)) {
  fill_with_numbers(near_.data(), static_cast<std::int64_t>(near_.size()), dtype, 0);
  for (int i = 0; i < shape.blocks; ++i) fill_with_numbers(far_weights(i), block.weight_bytes, dtype, i + 1);
  spoil_far_activations();
}

std::byte* BlockMemory::weights(Slots slots, int block) const {
  const int set = slots == Slots::moving ? 0 : 1;
  const int slot = set * shape_.resident + block % shape_.resident;
  return near_.data() + block_.input_bytes + slot * block_.slot_bytes();
}

Transfer BlockMemory::transfer(Direction direction, int block) const {
  if (direction == Direction::in)
    return {far_weights(block), weights(Slots::moving, block), block_.weight_bytes};
  return {activations(Slots::moving, block), far_activations(block), block_.activation_bytes};
}

void BlockMemory::spoil_far_activations() {
  for (int i = 0; i < shape_.blocks; ++i)
    std::memset(far_activations(i), 0xff, static_cast<std::size_t>(block_.activation_bytes));
}

}  // namespace assay::offload
