// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a product of the formula's operands is exact, by sampling: sums of whole numbers that fp32 holds
// can be foretold to the bit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/workload/problem.hpp"

namespace assay::offload {

/// `d`: D = A B in bf16, row-major m x n, where A (m x k) and B (stored n x k) hold operand_value() of
/// seed_of_a and seed_of_b by position. 257 elements from the first to the last
/// are computed again; empty where all of them are right.
std::optional<std::string> inexact(const workload::Problem& problem, std::span<const std::uint16_t> d);

}  // namespace assay::offload
