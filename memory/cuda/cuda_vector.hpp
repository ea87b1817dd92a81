// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of a transformer's vector kernels on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/measure.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/cuda/cuda_vector_kernels.hpp"

namespace assay::memory {

class CudaVector : public DeclaredCudaVector {
 public:
  using Site = cuda::GatedSite;

  CudaVector(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement) const {
    return vector_metrics(problem_, measurement);
  }
  /// One set of arrays: what the L2 holds of it stays there from one iteration to the next.
  std::vector<core::Fact> facts() const;

  /// In device memory: the output, or adam's parameters.
  void* results() const { return problem_.is_adam() ? p_.data() : y_.data(); }

 private:
  VectorPart whole() const;
  std::optional<std::string> wrong_row(std::int64_t row) const;

  VectorProblem problem_;
  cudaStream_t stream_;
  std::int64_t l2_bytes_;
  int blocks_;
  cuda::DeviceBuffer x_, r_, y_, p_, m_, v_;
  std::int64_t rounds_ = 0;
};

std::vector<core::Case> cuda_vector_cases(const machine::Machine& machine);

}  // namespace assay::memory
