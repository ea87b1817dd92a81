// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPU memory moved by the driver's own means: memset and device-to-device memcpy. The driver decides whether
// a copy engine or a kernel of its own does the work.
#pragma once

#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"
#include "memory/cuda_axes.hpp"
#include "memory/cuda_operands.hpp"

namespace assay::memory {

class CudaMemset : public CudaStreamCase {
 public:
  static constexpr std::string_view name = "memory.cuda.memset";
  static constexpr std::string_view measures = "GPU memory: bandwidth of cudaMemsetAsync";
  static core::Work work(const Settings& settings);

  CudaMemset(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();
  std::vector<core::Fact> facts() const { return shape_.facts(); }

 private:
  cudaStream_t stream_;
  StreamShape shape_;
  std::int64_t iterations_ = 0;
  std::vector<std::uint8_t> bytes_;  // last value each set was given
  cuda::DeviceBuffer target_;
};

class CudaCopyEngine : public CudaStreamCase {
 public:
  static constexpr std::string_view name = "memory.cuda.copy_engine";
  static constexpr std::string_view measures = "GPU memory: bandwidth of cudaMemcpyAsync within one device";
  static core::Work work(const Settings& settings);

  CudaCopyEngine(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();
  std::vector<core::Fact> facts() const { return shape_.facts(); }

 private:
  cudaStream_t stream_;
  StreamShape shape_;
  std::int64_t iterations_ = 0;
  cuda::DeviceBuffer source_, target_;
};

std::vector<core::Case> cuda_driver_copy_cases(const machine::Machine& machine);

}  // namespace assay::memory
