// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Inputs whose result is known exactly, bit by bit, whatever the order of reduction: small whole numbers, and
// powers of two for products, within what the type holds exactly. NaN equals nothing that is expected.
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
  std::uint64_t seed = 0;  // another one gives other inputs
};

/// Fills a rank's input (shape_of().input elements). The narrower the type and the more the ranks, the fewer
/// ranks bring a number other than 0 (sum) or 1 (prod) to one element, so that any order of reduction is
/// exact.
void fill_input(const Problem& problem, const Content& content, int rank, std::span<std::byte> input);

/// The first wrong element of a rank's output (shape_of().output elements): which, what was expected, what is
/// there. Nothing where all are right.
std::optional<std::string> first_wrong(const Problem& problem, const Content& content, int rank,
                                       std::span<const std::byte> output);

}  // namespace assay::collectives
