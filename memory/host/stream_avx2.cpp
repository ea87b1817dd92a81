// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The streaming loops in AVX2.
#include <immintrin.h>

#include "memory/host/stream_kernels.hpp"

#pragma GCC target("avx2")

namespace assay::memory {
namespace {

using Lanes = __m256d;
void store_past_caches(double* target, Lanes value) { _mm256_stream_pd(target, value); }

}  // namespace
}  // namespace assay::memory

#include "memory/host/stream_loops.hpp"

namespace assay::memory {

const InstructionSet avx2_loops = {"avx2", loops};

}  // namespace assay::memory
