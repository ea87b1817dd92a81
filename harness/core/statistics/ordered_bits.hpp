// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole numbers in the order of the floating-point numbers that they stand for (IEEE 754), and back.
#pragma once

#include <bit>
#include <cstdint>

namespace assay::core {

inline constexpr std::uint64_t sign_of_double = std::uint64_t{1} << 63;

/// Inverts all bits of a negative number, and the sign alone of any other.
constexpr std::uint64_t ordered_bits(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits & sign_of_double) != 0 ? ~bits : bits | sign_of_double;
}

constexpr double number_with(std::uint64_t ordered) {
  return std::bit_cast<double>((ordered & sign_of_double) != 0 ? ordered ^ sign_of_double : ~ordered);
}

}  // namespace assay::core
