// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "collectives/nccl/device_reduce.hpp"

namespace assay::collectives {
namespace {

constexpr int threads_per_block = 256;
// Few blocks: a step's reduction is short, and NCCL's kernels need SMs.
constexpr std::int64_t most_blocks = 128;

/// Signed overflow is undefined, so integers are added and multiplied unsigned.
template <class T>
using Arithmetic =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <Operator reduction, class T>
__device__ T combined(T a, T b) {
  using A = Arithmetic<T>;
  if constexpr (reduction == Operator::sum) return static_cast<T>(static_cast<A>(a) + static_cast<A>(b));
  if constexpr (reduction == Operator::prod) return static_cast<T>(static_cast<A>(a) * static_cast<A>(b));
  if constexpr (reduction == Operator::min) return b < a ? b : a;
  if constexpr (reduction == Operator::max) return a < b ? b : a;
}

template <Operator reduction, class T>
__global__ void reduce_kernel(T* __restrict__ into, const T* __restrict__ from, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    into[i] = combined<reduction>(into[i], from[i]);
}

template <class T>
void launch(Operator reduction, T* into, const T* from, std::int64_t count, cudaStream_t stream) {
  const auto blocks =
      static_cast<unsigned>(std::min(most_blocks, (count + threads_per_block - 1) / threads_per_block));
  switch (reduction) {
    case Operator::sum:
      reduce_kernel<Operator::sum><<<blocks, threads_per_block, 0, stream>>>(into, from, count);
      break;
    case Operator::prod:
      reduce_kernel<Operator::prod><<<blocks, threads_per_block, 0, stream>>>(into, from, count);
      break;
    case Operator::min:
      reduce_kernel<Operator::min><<<blocks, threads_per_block, 0, stream>>>(into, from, count);
      break;
    case Operator::max:
      reduce_kernel<Operator::max><<<blocks, threads_per_block, 0, stream>>>(into, from, count);
      break;
  }
}

}  // namespace

cudaError_t reduce_on_device(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                             std::int64_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    launch(reduction, reinterpret_cast<T*>(into), reinterpret_cast<const T*>(from), count, stream);
  });
  return cudaGetLastError();
}

}  // namespace assay::collectives
