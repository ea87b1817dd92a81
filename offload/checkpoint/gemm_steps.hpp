// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What computes while a checkpoint is taken: a square product in fp32 on one bound CPU, again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "offload/timed_steps.hpp"

namespace assay::offload {

/// Steps of C = A B with n x n matrices.
TimedSteps::MakeStep gemm_steps(std::int64_t n, int cpu);
/// Why this build has no library for them.
std::optional<std::string> why_no_gemm_steps(std::int64_t n);
/// Of host memory, that the steps take.
std::int64_t gemm_steps_bytes(std::int64_t n);
/// The library: "oneDNN 2.6.3".
std::string gemm_steps_library();

}  // namespace assay::offload
