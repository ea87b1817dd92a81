// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The streaming loops in SSE2.
#include <immintrin.h>

#include "memory/host/stream_kernels.hpp"

#pragma GCC target("sse2")

namespace assay::memory {
namespace {

using Lanes = __m128d;
void store_past_caches(double* target, Lanes value) { _mm_stream_pd(target, value); }

}  // namespace
}  // namespace assay::memory

#include "memory/host/stream_loops.hpp"

namespace assay::memory {

const InstructionSet sse2_loops = {"sse2", loops};

}  // namespace assay::memory
