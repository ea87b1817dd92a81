// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of weights and inputs: from position and seed alone, and read back. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/problem.hpp"

namespace assay::offload {

/// Values within [-0.5, 0.5); fp32 or bf16.
void fill_with_numbers(std::byte* data, std::int64_t bytes, workload::Dtype dtype, int seed);

/// The element at `index`; fp32 or bf16.
float number_at(const std::byte* data, std::int64_t index, workload::Dtype dtype);

}  // namespace assay::offload
