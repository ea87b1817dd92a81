// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPU read, write, copy and triad by SM loads and stores, from the L2 or from HBM by footprint.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"
#include "memory/cuda_axes.hpp"
#include "memory/cuda_operands.hpp"
#include "memory/cuda_stream_kernels.hpp"

namespace assay::memory {

/// What the four have in common: shape, launch, rotation.
class CudaStream : public CudaStreamCase {
 public:
  CudaStream(StreamKernel kernel, const Settings& settings, int arrays, cuda::DeviceSite& site);

  std::vector<core::Fact> facts() const;

 protected:
  /// Points the launch at the set that is next; returns which.
  std::int64_t aim();
  void launch();
  /// Sets that were used at least once: all sets, or as many as there were iterations.
  std::int64_t used_sets() const;

  cudaStream_t stream_;
  StreamShape shape_;
  StreamLaunch launch_;
  std::int64_t iterations_ = 0;
  cuda::DeviceBuffer a_, b_, c_;
};

class CudaRead : public CudaStream {
 public:
  static constexpr std::string_view name = "memory.cuda.read";
  static constexpr std::string_view measures = "GPU memory: bandwidth of 16-byte loads that are only summed";
  static core::Work work(const Settings& settings);

  CudaRead(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();

 private:
  Quad expected_sum(std::int64_t set);

  cuda::DeviceBuffer sums_, expected_;
  std::vector<std::int64_t> uses_;  // iterations that read each set
};

class CudaWrite : public CudaStream {
 public:
  static constexpr std::string_view name = "memory.cuda.write";
  static constexpr std::string_view measures = "GPU memory: bandwidth of 16-byte stores of random bits";
  static core::Work work(const Settings& settings);

  CudaWrite(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();

 private:
  std::vector<std::uint32_t> seeds_;  // last one written to each set
};

class CudaCopy : public CudaStream {
 public:
  static constexpr std::string_view name = "memory.cuda.copy";
  static constexpr std::string_view measures = "GPU memory: bandwidth of a copy by the SMs";
  static std::vector<core::Axis> axes();
  static core::Work work(const Settings& settings);

  CudaCopy(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();

 private:
  bool by_bulk_;
};

class CudaTriad : public CudaStream {
 public:
  static constexpr std::string_view name = "memory.cuda.triad";
  static constexpr std::string_view measures = "GPU memory: bandwidth of STREAM's triad c = a + 3 b in fp32";
  static core::Work work(const Settings& settings);

  CudaTriad(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();
};

std::vector<core::Case> cuda_stream_cases(const machine::Machine& machine);

}  // namespace assay::memory
