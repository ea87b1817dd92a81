// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that no storage can make fewer.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace assay::offload {

/// One fixed sequence of words from the first, however many are taken at a time.
class IncompressibleWords {
 public:
  void fill(std::span<std::uint64_t> words) {
    for (std::uint64_t& word : words) word = random_();
  }

 private:
  std::mt19937_64 random_{20260101};
};

inline void fill_incompressibly(std::span<std::uint64_t> words) { IncompressibleWords().fill(words); }

}  // namespace assay::offload
