// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A product described to cuBLASLt: descriptors, the candidates its heuristics offer, and the one in use.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/workload/cublaslt.hpp"
#include "harness/workload/lt_tile.hpp"
#include "harness/workload/problem.hpp"

namespace assay::workload {

/// 32 MiB, what the library's documentation asks for on Hopper.
inline constexpr std::size_t lt_workspace_bytes = std::size_t{32} << 20;

/// Device pointers of one multiplication: D = A B, or D = A B + C where the problem accumulates; row-major as
/// the problem says, 256-byte aligned.
struct LtOperands {
  void* a = nullptr;
  void* b = nullptr;
  void* c = nullptr;
  void* d = nullptr;
};

/// Device pointers to the factors that take operand scales out again (fp8), aligned to 16 bytes; null
/// elsewhere.
struct LtScales {
  const float* a = nullptr;
  const float* b = nullptr;
};

class LtMatmul {
 public:
  /// Describes the product and asks for at most `candidates` algorithms, best guess first. The device must be
  /// current. Throws core::Error(cublas).
  LtMatmul(const Problem& problem, const LtScales& scales, int candidates);

  /// 0 when the library has no algorithm for this product.
  int candidates() const { return static_cast<int>(candidates_.size()); }
  /// "cuBLASLt 13.1.0 has no algorithm for bf16 TN of 8 x 8 x 8 on this GPU", where there are 0.
  std::string no_algorithm() const;
  void choose(int candidate) { chosen_ = candidate; }
  int chosen() const { return chosen_; }
  /// "algo 66, tile 20, stages 36, split-k 1, ..." with the library's own numbers.
  std::string name(int candidate) const;
  /// How it cuts D; empty where the library does not report it.
  std::optional<Tiling> tiling(int candidate) const;

  /// Queues the chosen algorithm. `workspace` holds lt_workspace_bytes. Throws core::Error(cublas).
  void enqueue(const LtOperands& operands, void* workspace, cudaStream_t stream) const;

 private:
  const CublasLt& lt_;
  Problem problem_;
  LtHandle<cublasLtHandle_t> handle_;
  LtHandle<cublasLtMatmulDesc_t> description_;
  LtHandle<cublasLtMatrixLayout_t> first_, second_, result_;
  std::vector<cublasLtMatmulHeuristicResult_t> candidates_;
  int chosen_ = 0;
};

}  // namespace assay::workload
