// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The loops of the vector kernels in SSE2.
#include <algorithm>
#include <bit>
#include <cmath>

#include "memory/host/host_vector.hpp"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"  // clang-tidy reads this file too
#pragma GCC target("sse2")

#include "memory/host/vector_loops.hpp"

namespace assay::memory {

const VectorLoops sse2_vector_loops = {"sse2", run_loops};

}  // namespace assay::memory
