// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A result as bits: elements of one width in memory, and the comparison of two such bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/integrity/mismatch.hpp"

namespace assay::integrity {

/// A matrix of elements of 1 to 8 bytes that lies row-major in memory.
struct Elements {
  std::byte* data = nullptr;
  std::size_t width = 0;  // bytes of an element
  std::int64_t rows = 0, columns = 0;

  std::uint64_t count() const { return static_cast<std::uint64_t>(rows * columns); }
  std::uint64_t bits(std::uint64_t position) const;
  void set(std::uint64_t position, std::uint64_t bits) const;
};

/// Counts every element of `got` whose bits are not those of `expected`; addresses are positions.
void compare(const Elements& expected, const Elements& got, MismatchLog& log);

}  // namespace assay::integrity
