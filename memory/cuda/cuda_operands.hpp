// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of the streaming cases: every array holds as many sets as the rotation needs, filled from the
// formula.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/rotation.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "memory/cuda/cuda_axes.hpp"
#include "memory/cuda/cuda_formula.hpp"

namespace assay::memory {

inline constexpr std::uint32_t seed_a = 0x2545F491U;
inline constexpr std::uint32_t seed_b = 0x9D2C5680U;

/// Sizes and rotation of one point with `arrays` equal arrays.
struct StreamShape {
  StreamShape(const CudaStreamSettings& settings, int arrays, const cuda::Device& device);

  std::uint64_t quads() const { return static_cast<std::uint64_t>(bytes / 16); }  // per array and set
  std::int64_t all_bytes() const { return bytes * sets.count(); }                 // per array
  std::uint64_t all_quads() const { return quads() * static_cast<std::uint64_t>(sets.count()); }
  std::vector<core::Fact> facts() const;

  std::int64_t bytes;   // of one array of one set
  std::int64_t passes;  // over the set, in one iteration
  cuda::RotatingSet sets;
  bool hot;
  std::int64_t footprint;  // of one set
  std::int64_t l2_bytes;
  int blocks;  // for filling and checking
};

/// The mismatch log in device memory.
class DeviceMismatches {
 public:
  explicit DeviceMismatches(cudaStream_t stream);
  MismatchLog* log() const { return buffer_.as<MismatchLog>(); }
  /// Waits for the stream and copies the log. Throws core::Error(cuda).
  MismatchLog read();
  void clear();

 private:
  cudaStream_t stream_;
  cuda::DeviceBuffer buffer_;
};

/// right when the log is empty: "every one of the N bytes that were timed matches ...".
core::Verification verification_of(const MismatchLog& log, std::int64_t bytes_checked,
                                   const std::string& against);

void wait_for_check(cudaStream_t stream, const char* doing);

}  // namespace assay::memory
