// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gemm/device/corruption_kernels.hpp"
#include "gemm/device/device_elements.cuh"
#include "harness/cuda/device_code.cuh"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/log_mismatch.cuh"

namespace assay::gemm {
namespace {

constexpr int tile = 16;
constexpr int threads_per_block = 256;
constexpr std::int64_t most_blocks = 65535;
constexpr std::int64_t rows_per_block = 64;  // of the column checksums

/// Integer data need no table and are small.
__device__ int whole_at(const OperandRecipe& recipe, std::int64_t position) {
  return static_cast<int>(raw_value(recipe, nullptr, static_cast<std::uint64_t>(position)));
}

__global__ void exact_kernel(ExactProduct p, void* output) {
  __shared__ int a[tile][tile + 1], b[tile][tile + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * tile + y;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tile + x;
  int sum = 0;
  for (std::int64_t first = 0; first < p.k; first += tile) {
    const std::int64_t of_a = first + x, of_b = first + y;
    a[y][x] =
        row < p.m && of_a < p.k ? whole_at(p.a, p.a_is_transposed ? of_a * p.m + row : row * p.k + of_a) : 0;
    b[y][x] = column < p.n && of_b < p.k
                  ? whole_at(p.b, p.b_is_transposed ? column * p.k + of_b : of_b * p.n + column)
                  : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  if (row >= p.m || column >= p.n) return;
  const std::int64_t position = row * p.n + column;
  if (p.accumulate) sum += whole_at(p.c, position);
  store(output, position, p.type, encode(p.type, sum));
}

__global__ void compare_kernel(const void* expected, const void* got, OutputType type, std::int64_t count,
                               integrity::MismatchLog* log) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const std::uint64_t wanted = load(expected, i, type), read = load(got, i, type);
    if (wanted != read) integrity::log_mismatch(log, static_cast<std::uint64_t>(i), wanted, read);
  }
}

/// A thread a column, a block some of the rows.
__global__ void column_kernel(const void* output, OutputType type, std::int64_t rows, std::int64_t columns,
                              std::uint64_t* sums) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  unsigned long long sum = 0;
  for (std::int64_t first = blockIdx.y * rows_per_block; first < rows; first += gridDim.y * rows_per_block)
    for (std::int64_t row = first; row < first + rows_per_block && row < rows; ++row)
      sum += integrity::weighted(decode(type, load(output, row * columns + column, type)),
                                 integrity::row_weight(static_cast<std::uint64_t>(row)))
                 .term;
  atomicAdd(reinterpret_cast<unsigned long long*>(sums) + column, sum);
}

__global__ void flip_kernel(void* output, OutputType type, std::int64_t position, std::uint64_t bits) {
  store(output, position, type, load(output, position, type) ^ bits);
}

unsigned blocks_of(std::int64_t count, std::int64_t each) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((count + each - 1) / each, 1, most_blocks));
}

}  // namespace

cudaError_t launch_exact_product(const ExactProduct& product, void* output, cudaStream_t stream) {
  const std::int64_t down = (product.m + tile - 1) / tile;
  if (down > most_blocks) return cudaErrorInvalidValue;
  const dim3 grid(static_cast<unsigned>((product.n + tile - 1) / tile), static_cast<unsigned>(down));
  return cuda::launch(exact_kernel, {grid, dim3(tile, tile)}, stream, product, output);
}

cudaError_t launch_compare(const void* expected, const void* got, OutputType type, std::int64_t count,
                           integrity::MismatchLog* log, cudaStream_t stream) {
  return cuda::launch(compare_kernel, {blocks_of(count, threads_per_block), threads_per_block}, stream,
                      expected, got, type, count, log);
}

cudaError_t launch_column_checksums(const void* output, OutputType type, std::int64_t rows,
                                    std::int64_t columns, std::uint64_t* sums, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((columns + threads_per_block - 1) / threads_per_block),
                  blocks_of(rows, rows_per_block));
  return cuda::launch(column_kernel, {grid, dim3(threads_per_block)}, stream, output, type, rows, columns,
                      sums);
}

cudaError_t launch_flip(void* output, OutputType type, std::int64_t position, std::uint64_t bits,
                        cudaStream_t stream) {
  return cuda::launch(flip_kernel, {1, 1}, stream, output, type, position, bits);
}

}  // namespace assay::gemm
