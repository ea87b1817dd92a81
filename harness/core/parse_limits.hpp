// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bounds of every parser of text from outside. What is beyond one of them is refused, with its line, before
// anything is built from it: no input of another decides about this process's memory, stack or time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::core {

struct ParseLimits {
  static constexpr std::size_t levels = 64;              ///< of lists, objects or elements in each other
  static constexpr std::size_t keys = 4096;              ///< of one object, attributes of one element
  static constexpr std::size_t line_bytes = 64U << 20U;  ///< of one line of a journal
  static constexpr std::size_t elements = 1'000'000;     ///< of one XML document
  static constexpr std::int64_t points = 500'000;        ///< of one plan, which takes 0.9 kB a point
};

}  // namespace assay::core
