// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The twin of harness/cuda/device_code.cuh on a simulated GPU, whose multiprocessors have two cycles a
// nanosecond.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <type_traits>

#include "harness/core/number_formats.hpp"
#include "harness/cuda/launch_shape.hpp"
#include "harness/cuda/tests/simulated/device_language.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda {

template <class... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
                   std::type_identity_t<Parameters>... arguments) {
  simulated::queue_grid(reinterpret_cast<const void*>(kernel), shape.blocks, shape.threads,
                        shape.shared_bytes, stream, [=] { kernel(arguments...); });
  return cudaGetLastError();
}

inline unsigned char* launched_shared_memory() { return simulated::place().launched_shared_memory; }

inline std::uint64_t global_nanoseconds() {
  constexpr std::uint64_t hour = 3'600'000'000'000;
  simulated::Place& here = simulated::place();
  const bool leaps = here.has_multiprocessor_to_itself && simulated::gpu().blocks_leave_at_once;
  const auto now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  return static_cast<std::uint64_t>(now) + (leaps ? here.clock_reads++ * hour : 0);
}

struct Clocks {
  std::uint64_t cycles, nanoseconds;
};

inline Clocks read_clocks() {
  if (simulated::time_is_virtual()) {
    const simulated::Place& here = simulated::place();
    const double ns = 1e9 + here.began_ns + here.waited_ns;  // 0 is no stamp
    return {static_cast<std::uint64_t>(ns * here.clock_mhz / 1000), static_cast<std::uint64_t>(ns)};
  }
  const std::uint64_t now = global_nanoseconds();
  return {2 * now, now};
}

inline std::uint32_t multiprocessor() { return simulated::place().multiprocessor; }

inline std::uint32_t load_system(const std::uint32_t* word) {
  return std::atomic_ref(*const_cast<std::uint32_t*>(word)).load();
}
inline void store_system(std::uint32_t* word, std::uint32_t value) { std::atomic_ref(*word).store(value); }
inline std::uint32_t load_device(const std::uint32_t* word) { return load_system(word); }
inline void store_device(std::uint32_t* word, std::uint32_t value) { store_system(word, value); }

inline void make_opaque(float& value) { asm volatile("" : "+x"(value)); }

template <class T>
float widened(T x) {
  return static_cast<float>(x);
}
template <class T>
void narrow(float x, T& into) {
  into = static_cast<T>(x);
}

}  // namespace assay::cuda
