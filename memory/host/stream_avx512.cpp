// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The streaming loops in AVX-512.
#include <immintrin.h>

#include "memory/host/stream_kernels.hpp"

#pragma GCC target("avx512f")

namespace assay::memory {
namespace {

using Lanes = __m512d;
void store_past_caches(double* target, Lanes value) { _mm512_stream_pd(target, value); }

}  // namespace
}  // namespace assay::memory

#include "memory/host/stream_loops.hpp"

namespace assay::memory {

const InstructionSet avx512_loops = {"avx512", loops};

}  // namespace assay::memory
