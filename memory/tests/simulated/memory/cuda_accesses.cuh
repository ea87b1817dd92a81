// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The twin of memory/cuda_accesses.cuh on a simulated GPU, which has no caches.
#pragma once

#include <cstdint>

#include "harness/cuda/tests/simulated/device_language.hpp"

namespace assay::memory {

inline uint4 load_past_l1(const uint4* address) { return *address; }
inline void store_past_l1(uint4* address, uint4 v) { *address = v; }

struct Words {
  std::uint64_t low, high;
};
inline Words load_words_past_l1(const std::uint64_t* address) { return {address[0], address[1]}; }
inline void store_words_past_l1(std::uint64_t* address, Words words) {
  address[0] = words.low;
  address[1] = words.high;
}

template <class T>
T* load_through_l1(T* const* address) {
  return *address;
}

}  // namespace assay::memory
