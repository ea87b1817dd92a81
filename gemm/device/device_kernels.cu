// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gemm/device/device_elements.cuh"
#include "gemm/device/device_kernels.hpp"
#include "harness/cuda/device_code.cuh"

namespace assay::gemm {
namespace {

constexpr int threads_per_block = 256;
constexpr std::int64_t most_blocks = 65535;

__device__ void store(void* target, std::int64_t position, Dtype dtype, std::uint64_t bits) {
  switch (dtype) {
    case Dtype::fp64:
      static_cast<std::uint64_t*>(target)[position] = bits;
      return;
    case Dtype::fp32:
    case Dtype::tf32:
      static_cast<std::uint32_t*>(target)[position] = static_cast<std::uint32_t>(bits);
      return;
    case Dtype::bf16:
    case Dtype::fp16:
      static_cast<std::uint16_t*>(target)[position] = static_cast<std::uint16_t>(bits);
      return;
    case Dtype::fp8_e4m3:
    case Dtype::int8:
      break;
  }
  static_cast<std::uint8_t*>(target)[position] = static_cast<std::uint8_t>(bits);
}

__global__ void fill_kernel(OperandRecipe recipe, const float* table, void* target, std::int64_t count,
                            unsigned long long* saturated) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  unsigned long long lost = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const Element element = operand_element(recipe, table, static_cast<std::uint64_t>(i));
    store(target, i, recipe.dtype, element.bits);
    lost += element.saturated ? 1 : 0;
  }
  if (lost != 0) atomicAdd(saturated, lost);
}

/// Sums of one thread over its columns of a row.
struct Partial {
  unsigned long long digest_low = 0, digest_high = 0, not_whole = 0, not_finite = 0, checksum = 0;
};

__device__ void add_element(Partial& partial, const void* output, OutputType type, std::int64_t position,
                            std::int64_t column) {
  const std::uint64_t bits = load(output, position, type);
  const double value = decode(type, bits);
  const Digest digest = digest_term(static_cast<std::uint64_t>(position), bits);
  const ChecksumTerm term = checksum_term(value, static_cast<std::uint64_t>(column));
  partial.digest_low += digest.low;
  partial.digest_high += digest.high;
  partial.not_whole += term.whole ? 0 : 1;
  partial.not_finite += isfinite(value) ? 0 : 1;
  partial.checksum += term.term;
}

/// One block a row. Sums are modulo 2^64: their order does not matter.
__global__ void summary_kernel(const void* output, OutputType type, std::int64_t rows, std::int64_t columns,
                               DeviceTotals* totals, std::uint64_t* row_checksums) {
  __shared__ unsigned long long row_checksum;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    if (threadIdx.x == 0) row_checksum = 0;
    __syncthreads();
    Partial partial;
    for (std::int64_t column = threadIdx.x; column < columns; column += blockDim.x)
      add_element(partial, output, type, row * columns + column, column);
    atomicAdd(&row_checksum, partial.checksum);
    atomicAdd(&totals->digest_low, partial.digest_low);
    atomicAdd(&totals->digest_high, partial.digest_high);
    if (partial.not_whole != 0) atomicAdd(&totals->not_whole, partial.not_whole);
    if (partial.not_finite != 0) atomicAdd(&totals->not_finite, partial.not_finite);
    __syncthreads();
    if (threadIdx.x == 0) row_checksums[row] = row_checksum;
  }
}

}  // namespace

cudaError_t launch_fill(const OperandRecipe& recipe, const float* table, void* target, std::int64_t count,
                        unsigned long long* saturated, cudaStream_t stream) {
  const std::int64_t blocks = std::min((count + threads_per_block - 1) / threads_per_block, most_blocks);
  return cuda::launch(fill_kernel, {blocks, threads_per_block}, stream, recipe, table, target, count,
                      saturated);
}

cudaError_t launch_summary(const void* output, OutputType type, std::int64_t rows, std::int64_t columns,
                           DeviceTotals* totals, std::uint64_t* row_checksums, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(std::min(rows, most_blocks));
  return cuda::launch(summary_kernel, {blocks, threads_per_block}, stream, output, type, rows, columns,
                      totals, row_checksums);
}

}  // namespace assay::gemm
