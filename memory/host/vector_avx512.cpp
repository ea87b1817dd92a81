// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The loops of the vector kernels in AVX-512.
#include <algorithm>
#include <bit>
#include <cmath>

#include "memory/host/host_vector.hpp"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"  // clang-tidy reads this file too
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")

#include "memory/host/vector_loops.hpp"

namespace assay::memory {

const VectorLoops avx512_vector_loops = {"avx512", run_loops};

}  // namespace assay::memory
