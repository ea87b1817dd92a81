// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Floats that begin on a cache line: where operands lie may decide the order in which a library adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::collectives {

class AlignedFloats {
 public:
  static constexpr std::int64_t floats_a_line = 16;

  /// All zero.
  explicit AlignedFloats(std::int64_t count)
      : count_(static_cast<std::size_t>(count)), lines_((count_ + floats_a_line - 1) / floats_a_line) {}

  std::span<float> all() { return {lines_.front().floats.data(), count_}; }
  std::span<const float> all() const { return {lines_.front().floats.data(), count_}; }

 private:
  struct alignas(64) Line {
    std::array<float, floats_a_line> floats{};
  };
  std::size_t count_;
  std::vector<Line> lines_;
};

}  // namespace assay::collectives
