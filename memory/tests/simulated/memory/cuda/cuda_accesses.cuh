// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The twin of memory/cuda/cuda_accesses.cuh on a simulated GPU, which has no caches.
#pragma once

#include <cstdint>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/cuda/tests/simulated/device_language.hpp"

namespace assay::memory {

inline void count_moved(std::uint64_t bytes) { cuda::simulated::place().moved_bytes += bytes; }

inline uint4 load_past_l1(const uint4* address) {
  count_moved(sizeof *address);
  return *address;
}
inline void store_past_l1(uint4* address, uint4 v) {
  count_moved(sizeof v);
  *address = v;
}

template <class T>
T load_counted(const T* address) {
  count_moved(sizeof *address);
  return *address;
}
template <class T>
void store_counted(T* address, const T& value) {
  count_moved(sizeof value);
  *address = value;
}

struct Words {
  std::uint64_t low, high;
};
inline Words load_words_past_l1(const std::uint64_t* address) {
  count_moved(sizeof(Words));
  return {address[0], address[1]};
}
inline void store_words_past_l1(std::uint64_t* address, Words words) {
  count_moved(sizeof words);
  address[0] = words.low;
  address[1] = words.high;
}

template <class T>
T* load_through_l1(T* const* address) {
  cuda::simulated::place().waited_ns += core::simulated::h100::memory_latency_ns;
  return *address;
}

}  // namespace assay::memory
