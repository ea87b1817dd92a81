// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A product by cuBLASLt that runs beside something else: operand sets in rotation beyond the L2, results that
// must stay what they were when nothing else ran, and exact where they are sampled.
#pragma once

#include <vector>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/rotation.hpp"
#include "harness/workload/lt_matmul.hpp"
#include "offload/interference/device_loads.hpp"

namespace assay::offload {

/// Device memory of a product with its operands in rotation, workspace counted.
std::int64_t gemm_bytes(const workload::Problem& problem, std::int64_t l2_bytes);

class GemmLoad final : public DeviceLoad {
 public:
  /// `problem`: bf16, forward. Runs it once for every set. Throws core::Error; Unsupported where the library
  /// has no algorithm.
  GemmLoad(const workload::Problem& problem, const cuda::Device& device);

  void enqueue(cudaStream_t stream) override;
  void spoil(cudaStream_t stream) override;
  double quantum_flops() const override { return problem_.flops(); }
  std::optional<std::int64_t> blocks_of_work() const override;
  std::optional<std::string> wrong() override;
  /// Library, algorithm, its tile, and how many sets of operands there are.
  std::vector<core::Fact> facts() const override;

 private:
  workload::LtOperands operands(std::int64_t set) const;
  void fill();
  std::vector<std::uint16_t> result(std::int64_t set) const;

  workload::Problem problem_;
  cuda::RotatingSet rotation_;
  cuda::DeviceBuffer memory_, workspace_;
  workload::LtMatmul product_;
  std::vector<std::uint16_t> alone_;  // the result when nothing else ran
  std::vector<bool> computed_;        // by set, since spoil()
};

}  // namespace assay::offload
