// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a product was computed at all, and of the right operands: some of its elements against sums in
// double. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/workload/problem.hpp"

namespace assay::offload {

/// Checks D = A B in host memory, row-major as the problem says, fp32 or bf16: names the first of 16 elements
/// of D that is further from its sum than rounding explains; NaN always is. Empty where all are right.
std::optional<std::string> wrong_element(const workload::Problem& problem, const std::byte* a,
                                         const std::byte* b, const std::byte* d);

}  // namespace assay::offload
