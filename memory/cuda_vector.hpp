// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of a transformer's vector kernels on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/core/measure.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda_vector_kernels.hpp"

namespace assay::memory {

class CudaVector {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    VectorProblem problem = {};
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.vector";
  static constexpr std::string_view measures =
      "GPU: bandwidth of a transformer's vector kernels (layer norm, softmax, GELU, residual, dropout, Adam)";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings) { return vector_work(settings.problem); }
  static std::vector<core::Fact> derived(const Settings& settings);

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
