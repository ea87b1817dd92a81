// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_state.hpp"

#include <algorithm>

namespace assay::offload {

std::optional<std::size_t> first_difference(std::span<const std::byte> seen,
                                            std::span<const std::byte> expected) {
  const auto first = std::ranges::mismatch(seen, expected).in1;
  if (first == seen.end()) return std::nullopt;
  return static_cast<std::size_t>(first - seen.begin());
}

}  // namespace assay::offload
