// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The compute of a GPU while a checkpoint of it is taken: a square product in bf16 through cuBLASLt, again
// and again.
#pragma once

#include <cstdint>
#include <string>

#include "offload/timed_steps.hpp"

namespace assay::offload {

/// Steps of C = A B with n x n matrices, each waited for. Making them throws core::Unsupported where the
/// library has no algorithm.
TimedSteps::MakeStep device_gemm_steps(std::int64_t n, int gpu);
/// Bytes of device memory that they take.
std::int64_t device_gemm_bytes(std::int64_t n);
/// The library: "cuBLASLt 13.1.0".
std::string device_gemm_steps_library();

}  // namespace assay::offload
