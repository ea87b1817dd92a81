// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "collectives/nccl/device/device_reduce.hpp"
#include "harness/cuda/device_code.cuh"

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
__device__ T combined_numbers(T a, T b) {
  using A = Arithmetic<T>;
  if constexpr (reduction == Operator::sum) return static_cast<T>(static_cast<A>(a) + static_cast<A>(b));
  if constexpr (reduction == Operator::prod) return static_cast<T>(static_cast<A>(a) * static_cast<A>(b));
  if constexpr (reduction == Operator::min) return b < a ? b : a;
  if constexpr (reduction == Operator::max) return a < b ? b : a;
}

/// As reduce_into(): narrow floats in float, rounded.
template <Operator reduction, class T>
__device__ T combined(T a, T b) {
  if constexpr (is_number<T>) {
    return combined_numbers<reduction>(a, b);
  } else {
    T result;
    cuda::narrow(combined_numbers<reduction>(cuda::widened(a), cuda::widened(b)), result);
    return result;
  }
}

/// 16 bytes of elements, which one instruction loads.
using Pack = uint4;

template <Operator reduction, class T>
__device__ Pack combined_packs(const Pack& a, const Pack& b) {
  constexpr int count = sizeof(Pack) / sizeof(T);
  T first[count], second[count];
  std::memcpy(static_cast<void*>(first), &a, sizeof a);
  std::memcpy(static_cast<void*>(second), &b, sizeof b);
#pragma unroll
  for (int i = 0; i < count; ++i) first[i] = combined<reduction>(first[i], second[i]);
  Pack result;
  std::memcpy(&result, first, sizeof result);
  return result;
}

/// Elements before the first whole pack of both arrays; all of them where the arrays' packs never coincide.
template <class T>
__device__ std::int64_t elements_before_packs(const T* into, const T* from, std::int64_t count) {
  const auto past = reinterpret_cast<std::uintptr_t>(into) % sizeof(Pack);
  if (reinterpret_cast<std::uintptr_t>(from) % sizeof(Pack) != past) return count;
  const auto before = static_cast<std::int64_t>((sizeof(Pack) - past) % sizeof(Pack) / sizeof(T));
  return before < count ? before : count;
}

constexpr int packs_in_flight = 4;  // of each array, a thread

template <Operator reduction, class T>
__global__ void __launch_bounds__(threads_per_block, 2)
    reduce_kernel(T* into, const T* from, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t before = elements_before_packs(into, from, count);
  constexpr std::int64_t of_a_pack = sizeof(Pack) / sizeof(T);
  const std::int64_t packs = (count - before) / of_a_pack;
  auto* const to = reinterpret_cast<Pack*>(into + before);
  const auto* const other = reinterpret_cast<const Pack*>(from + before);

  std::int64_t at = thread;
  for (; at + (packs_in_flight - 1) * stride < packs; at += packs_in_flight * stride) {
    Pack a[packs_in_flight], b[packs_in_flight];
#pragma unroll
    for (int k = 0; k < packs_in_flight; ++k) {
      a[k] = to[at + k * stride];
      b[k] = other[at + k * stride];
    }
#pragma unroll
    for (int k = 0; k < packs_in_flight; ++k) to[at + k * stride] = combined_packs<reduction, T>(a[k], b[k]);
  }
  for (; at < packs; at += stride) to[at] = combined_packs<reduction, T>(to[at], other[at]);
  for (std::int64_t i = thread; i < before; i += stride) into[i] = combined<reduction>(into[i], from[i]);
  for (std::int64_t i = before + packs * of_a_pack + thread; i < count; i += stride)
    into[i] = combined<reduction>(into[i], from[i]);
}

template <class T>
__global__ void average_kernel(T* __restrict__ into, std::int64_t count, int ranks) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    if constexpr (is_number<T>)
      into[i] = static_cast<T>(into[i] / static_cast<T>(ranks));
    else
      cuda::narrow(cuda::widened(into[i]) / static_cast<float>(ranks), into[i]);
}

cuda::LaunchShape shape_for(std::int64_t count) {
  return {std::min(most_blocks, (count + threads_per_block - 1) / threads_per_block), threads_per_block};
}

template <class T>
cudaError_t reduce(Operator reduction, T* into, const T* from, std::int64_t count, cudaStream_t stream) {
  const cuda::LaunchShape shape = shape_for(count);
  switch (reduction) {
    case Operator::sum:
    case Operator::avg:
      return cuda::launch(reduce_kernel<Operator::sum, T>, shape, stream, into, from, count);
    case Operator::prod:
      return cuda::launch(reduce_kernel<Operator::prod, T>, shape, stream, into, from, count);
    case Operator::min:
      return cuda::launch(reduce_kernel<Operator::min, T>, shape, stream, into, from, count);
    case Operator::max:
      return cuda::launch(reduce_kernel<Operator::max, T>, shape, stream, into, from, count);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t reduce_on_device(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                             std::int64_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    return reduce(reduction, reinterpret_cast<T*>(into), reinterpret_cast<const T*>(from), count, stream);
  });
}

cudaError_t average_on_device(DataType type, int ranks, std::byte* into, std::int64_t count,
                              cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    return cuda::launch(average_kernel<T>, shape_for(count), stream, reinterpret_cast<T*>(into), count,
                        ranks);
  });
}

}  // namespace assay::collectives
