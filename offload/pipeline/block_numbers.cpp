// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/block_numbers.hpp"

#include <bit>
#include <cstring>

#include "harness/integrity/digest.hpp"

namespace assay::offload {
namespace {

/// The upper half of an fp32 is its bf16, rounded towards zero: what is left out at the lower end.
std::int64_t bits_left_out(std::int64_t element_bytes) { return 32 - 8 * element_bytes; }

/// Word by word, of a size the compiler knows: a block has up to a billion.
template <class Word>
void fill(std::byte* data, std::int64_t bytes, int seed) {
  constexpr std::int64_t element = sizeof(Word);
  const auto seed_bits = static_cast<std::uint64_t>(seed) << 40;
  for (std::int64_t i = 0; i < bytes / element; ++i) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(i + 1) + seed_bits) * integrity::golden_step;
    const float value = static_cast<float>(mixed >> 48) / 65536.0F - 0.5F;
    const auto word = static_cast<Word>(std::bit_cast<std::uint32_t>(value) >> bits_left_out(element));
    std::memcpy(data + i * element, &word, sizeof word);
  }
}

}  // namespace

void fill_with_numbers(std::byte* data, std::int64_t bytes, workload::Dtype dtype, int seed) {
  if (workload::element_bytes(dtype) == sizeof(std::uint16_t)) return fill<std::uint16_t>(data, bytes, seed);
  fill<std::uint32_t>(data, bytes, seed);
}

float number_at(const std::byte* data, std::int64_t index, workload::Dtype dtype) {
  const std::int64_t element = workload::element_bytes(dtype);
  std::uint32_t bits = 0;
  std::memcpy(&bits, data + index * element, static_cast<std::size_t>(element));
  return std::bit_cast<float>(bits << bits_left_out(element));
}

}  // namespace assay::offload
