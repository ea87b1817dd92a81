// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The recipe for the numbers of a problem's operands: seeds, scales, and integers small enough that every
// result is exact.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/operand.hpp"
#include "gemm/problem.hpp"

namespace assay::gemm {

std::string to_string(Data data);
std::vector<std::string> all_data();
/// Throws a usage Error naming what is accepted.
Data data_from(std::string_view text);

struct Recipes {
  OperandRecipe a, b;
  OperandRecipe c;  // of the same type as the result; used where the problem accumulates
};

/// Whole numbers from -8 to 8 are in C, whatever the data: exact in fp32 and no part of what the data axis
/// varies. Operand set number `set` of a problem; every set has its own numbers, always the same ones.
Recipes recipes(const Problem& problem, Data data, int set);

/// True when the products of these recipes sum to whole numbers that accumulator and output hold exactly.
bool is_exact(const Problem& problem, Data data);

/// normal_table_size quantiles of the standard normal distribution, ascending, on a grid of 2^-16 so that no
/// mathematics library's last bit shows.
std::span<const float> normal_table();

/// The elements of rows x columns from position 0 on, in `target`; returns how many saturated.
/// `threads` run it; target must hold count * element_bytes(recipe.dtype) bytes.
std::int64_t fill(const OperandRecipe& recipe, std::byte* target, std::int64_t count, int threads);

}  // namespace assay::gemm
