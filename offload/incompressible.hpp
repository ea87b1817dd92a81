// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that no storage can make fewer.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace assay::offload {

inline void fill_incompressibly(std::span<std::uint64_t> words) {
  std::mt19937_64 random(20260101);
  for (std::uint64_t& word : words) word = random();
}

}  // namespace assay::offload
