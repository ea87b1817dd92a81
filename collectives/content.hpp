// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Inputs whose result is known exactly, bit by bit, whatever the order of reduction: small whole numbers, and
// powers of two for products, within what the type holds exactly. NaN equals nothing that is expected. A mean
// is of a sum that is exact; a library that scales the terms before it adds them rounds more often, and is
// given the bound of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "collectives/data_type.hpp"
#include "collectives/problem.hpp"

namespace assay::collectives {

struct Content {
  DataType type = DataType::fp32;
  Operator reduction = Operator::sum;
  std::uint64_t seed = 0;      // another one gives other inputs
  bool scales_inputs = false;  // a mean of floats adds terms that were multiplied by 1/n: NCCL's ncclAvg
};

/// Whether a sum of the problem's is to be divided in the end.
bool averages(const Problem& problem, const Content& content);
/// Finishes a rank's output after the steps of an algorithm over sums: divides it where averages().
void end_reduction(const Problem& problem, const Content& content, std::span<std::byte> output);

/// How far the type's 1/n is from it, relative to it; 0 of whole numbers, which divide.
double reciprocal_error(DataType type, int n);

/// Fills a rank's input (shape_of().input elements). The narrower the type and the more the ranks, the fewer
/// ranks bring a number other than 0 (sum) or 1 (prod) to one element, so that any order of reduction is
/// exact.
void fill_input(const Problem& problem, const Content& content, int rank, std::span<std::byte> input);

/// The first wrong element of a rank's output (shape_of().output elements): which, what was expected, what is
/// there. Nothing where all are right.
std::optional<std::string> first_wrong(const Problem& problem, const Content& content, int rank,
                                       std::span<const std::byte> output);

}  // namespace assay::collectives
