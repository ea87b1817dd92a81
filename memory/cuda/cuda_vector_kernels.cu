// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Vector kernels of a transformer: accesses of 16 bytes (adam's gradient: of 4 elements), arithmetic in fp32;
// a block a row where a row is reduced, whose second and third reading the L1 and L2 answer.
#include <algorithm>
#include <cstdint>

#include "harness/cuda/device_code.cuh"
#include "memory/cuda/cuda_accesses.cuh"
#include "memory/cuda/cuda_vector_kernels.hpp"

namespace assay::memory {
namespace {

constexpr int vector_threads = 256;
constexpr int vector_warps = vector_threads / 32;

template <class T, int elements = 16 / sizeof(T)>
struct alignas(elements * sizeof(T)) Pack {
  static constexpr int size = elements;
  T at[size];
};

/// Calls `body` with this thread's numbers: all below `count`, in turns with the other threads of the grid.
template <class Body>
__device__ void in_turns(std::int64_t count, Body body) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * vector_threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * vector_threads + threadIdx.x; i < count;
       i += stride)
    body(i);
}

/// Combines the values of all threads of a block, for all of them; `shared` is for vector_warps floats.
template <class Combine>
__device__ float over_block(float value, float* shared, Combine combine) {
  for (int other = 16; other > 0; other /= 2) value = combine(value, __shfl_xor_sync(~0U, value, other));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < vector_warps; ++warp) value = combine(value, shared[warp]);
  __syncthreads();  // before shared is written again
  return value;
}

__device__ float add(float a, float b) { return a + b; }
__device__ float greater(float a, float b) { return a < b ? b : a; }

template <bool counted = false, class T, class Body>
__device__ void over_row(const Pack<T>* x, std::int64_t columns, Body body) {
  for (std::int64_t i = threadIdx.x; i < columns / Pack<T>::size; i += vector_threads) {
    const Pack<T> pack = counted ? load_counted(x + i) : x[i];
    for (int k = 0; k < Pack<T>::size; ++k) body(cuda::widened(pack.at[k]));
  }
}

template <class T, class Body>
__device__ void write_row(const Pack<T>* x, Pack<T>* y, std::int64_t columns, Body body) {
  for (std::int64_t i = threadIdx.x; i < columns / Pack<T>::size; i += vector_threads) {
    Pack<T> pack = x[i];
    for (int k = 0; k < Pack<T>::size; ++k) cuda::narrow(body(cuda::widened(pack.at[k])), pack.at[k]);
    store_counted(y + i, pack);
  }
}

template <class T>
__device__ void norm_row(const Pack<T>* x, Pack<T>* y, std::int64_t columns, float* shared) {
  const auto n = static_cast<float>(columns);
  float sum = 0, squares = 0;
  over_row<true>(x, columns, [&](float one) { sum += one; });
  const float mean = over_block(sum, shared, add) / n;
  over_row(x, columns, [&](float one) { squares += (one - mean) * (one - mean); });
  const float scale = 1.0F / sqrtf(over_block(squares, shared, add) / n + norm_epsilon);
  write_row(x, y, columns, [&](float one) { return (one - mean) * scale; });
}

template <class T>
__device__ void softmax_row(const Pack<T>* x, Pack<T>* y, std::int64_t columns, float* shared) {
  float most = -3e38F, sum = 0;
  over_row<true>(x, columns, [&](float one) { most = greater(most, one); });
  most = over_block(most, shared, greater);
  over_row(x, columns, [&](float one) { sum += expf(one - most); });
  const float scale = 1.0F / over_block(sum, shared, add);
  write_row(x, y, columns, [&](float one) { return expf(one - most) * scale; });
}

template <class T>
__global__ void __launch_bounds__(vector_threads, vector_blocks_per_sm)
    row_kernel(VectorKernel kernel, VectorPart part) {
  __shared__ float shared[vector_warps];
  for (std::int64_t row = blockIdx.x; row < part.rows; row += gridDim.x) {
    const auto* x = reinterpret_cast<const Pack<T>*>(static_cast<const T*>(part.x) + row * part.columns);
    auto* y = reinterpret_cast<Pack<T>*>(static_cast<T*>(part.y) + row * part.columns);
    if (kernel == VectorKernel::softmax)
      softmax_row(x, y, part.columns, shared);
    else
      norm_row(x, y, part.columns, shared);
  }
}

template <VectorKernel kernel>
__device__ float element_of(float x, float r, std::int64_t index) {
  if constexpr (kernel == VectorKernel::residual_add)
    return x + r;
  else if constexpr (kernel == VectorKernel::dropout)
    return is_kept(index) ? x * dropout_scale : 0.0F;
  else
    return x * 0.5F * (1.0F + tanhf(gelu_slope * (x + gelu_cubic * x * x * x)));
}

template <VectorKernel kernel, class T>
__global__ void __launch_bounds__(vector_threads, vector_blocks_per_sm) element_kernel(VectorPart part) {
  const auto* x = static_cast<const Pack<T>*>(part.x);
  const auto* r = static_cast<const Pack<T>*>(part.r);
  auto* y = static_cast<Pack<T>*>(part.y);
  in_turns(part.rows * part.columns / Pack<T>::size, [&](std::int64_t i) {
    Pack<T> pack = load_counted(x + i), other = pack;
    if constexpr (kernel == VectorKernel::residual_add) other = load_counted(r + i);
    for (int k = 0; k < Pack<T>::size; ++k)
      cuda::narrow(element_of<kernel>(cuda::widened(pack.at[k]), cuda::widened(other.at[k]),
                                      part.first + i * Pack<T>::size + k),
                   pack.at[k]);
    store_counted(y + i, pack);
  });
}

template <class T>
__global__ void __launch_bounds__(vector_threads, vector_blocks_per_sm) adam_kernel(VectorPart part) {
  using Four = Pack<float>;
  const auto* gradients = static_cast<const Pack<T, Four::size>*>(part.x);
  auto* const ps = reinterpret_cast<Four*>(part.p);
  auto* const ms = reinterpret_cast<Four*>(part.m);
  auto* const vs = reinterpret_cast<Four*>(part.v);
  in_turns(part.rows * part.columns / Four::size, [&](std::int64_t i) {
    const Pack<T, Four::size> gradient = load_counted(gradients + i);
    Four p = load_counted(ps + i), m = load_counted(ms + i), v = load_counted(vs + i);
    for (int k = 0; k < Four::size; ++k) {
      const float g = cuda::widened(gradient.at[k]);
      m.at[k] = adam_beta1 * m.at[k] + (1 - adam_beta1) * g;
      v.at[k] = adam_beta2 * v.at[k] + (1 - adam_beta2) * g * g;
      const float step = m.at[k] * part.correction1 / (sqrtf(v.at[k] * part.correction2) + adam_epsilon);
      p.at[k] = adam_keep * p.at[k] - adam_rate * step;
    }
    store_counted(ps + i, p);
    store_counted(ms + i, m);
    store_counted(vs + i, v);
  });
}

template <class T>
__global__ void input_kernel(VectorPart part, T* x, T* r) {
  in_turns(part.rows * part.columns, [&](std::int64_t i) {
    cuda::narrow(vector_input(part.first + i, 0), x[i]);
    if (r != nullptr) cuda::narrow(vector_input(part.first + i, 1), r[i]);
    if (part.p == nullptr) return;
    part.p[i] = vector_input(part.first + i, 2);
    part.m[i] = part.v[i] = 0;
  });
}

template <class T>
cudaError_t launch_typed(VectorKernel kernel, const VectorPart& part, int most_blocks, cudaStream_t stream) {
  const std::int64_t packs = part.rows * part.columns / Pack<T>::size;
  const std::int64_t by_elements = (packs + vector_threads - 1) / vector_threads;
  const auto shape = [&](std::int64_t blocks) {
    return cuda::LaunchShape(std::min<std::int64_t>(most_blocks, blocks), vector_threads);
  };
  switch (kernel) {
    case VectorKernel::layer_norm:
    case VectorKernel::softmax:
      return cuda::launch(row_kernel<T>, shape(part.rows), stream, kernel, part);
    case VectorKernel::gelu:
      return cuda::launch(element_kernel<VectorKernel::gelu, T>, shape(by_elements), stream, part);
    case VectorKernel::residual_add:
      return cuda::launch(element_kernel<VectorKernel::residual_add, T>, shape(by_elements), stream, part);
    case VectorKernel::dropout:
      return cuda::launch(element_kernel<VectorKernel::dropout, T>, shape(by_elements), stream, part);
    case VectorKernel::adam:
      break;
  }
  return cuda::launch(adam_kernel<T>, shape(by_elements), stream, part);
}

template <class T>
cudaError_t launch_inputs(const VectorPart& part, int blocks, cudaStream_t stream) {
  return cuda::launch(input_kernel<T>, {blocks, vector_threads}, stream, part,
                      static_cast<T*>(const_cast<void*>(part.x)), static_cast<T*>(const_cast<void*>(part.r)));
}

}  // namespace

cudaError_t launch_vector(VectorKernel kernel, VectorType type, const VectorPart& part, int most_blocks,
                          cudaStream_t stream) {
  if (type == VectorType::bf16) return launch_typed<core::Bf16>(kernel, part, most_blocks, stream);
  if (type == VectorType::fp16) return launch_typed<core::Fp16>(kernel, part, most_blocks, stream);
  return launch_typed<float>(kernel, part, most_blocks, stream);
}

cudaError_t launch_vector_inputs(VectorType type, const VectorPart& part, int blocks, cudaStream_t stream) {
  if (type == VectorType::bf16) return launch_inputs<core::Bf16>(part, blocks, stream);
  if (type == VectorType::fp16) return launch_inputs<core::Fp16>(part, blocks, stream);
  return launch_inputs<float>(part, blocks, stream);
}

}  // namespace assay::memory
