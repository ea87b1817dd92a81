// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/device_code.cuh"
#include "harness/cuda/tests/spin_kernel.hpp"

namespace assay::cuda {
namespace {

constexpr std::uint64_t longest_spin_ns = 60'000'000'000;

__global__ void spin_kernel(std::uint64_t duration_ns) {
  const std::uint64_t start = global_nanoseconds();
  float a = 1.0f + static_cast<float>(threadIdx.x), b = 0.5f;
  while (global_nanoseconds() - start < duration_ns) {
#pragma unroll
    for (int i = 0; i < 64; ++i) a = __fmaf_rn(a, b, 1.0f);
    make_opaque(a);
    make_opaque(b);
  }
}

}  // namespace

cudaError_t launch_spin(int blocks, std::uint64_t nanoseconds, cudaStream_t stream) {
  return launch(spin_kernel, {blocks, 256}, stream,
                nanoseconds < longest_spin_ns ? nanoseconds : longest_spin_ns);
}

}  // namespace assay::cuda
