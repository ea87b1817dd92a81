// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/block.hpp"

namespace assay::offload {
namespace {

/// What cuBLASLt's heuristics take for granted (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_*_BYTES), and enough for a
/// host.
constexpr std::int64_t alignment = 256;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

Block block_of(const workload::Transformer& model, std::int64_t tp, std::int64_t tokens,
               workload::Dtype dtype) {
  using workload::BlockGemm;
  Block block;
  for (const BlockGemm gemm :
       {BlockGemm::qkv, BlockGemm::attention_output, BlockGemm::up_gate, BlockGemm::down}) {
    const workload::Problem problem =
        workload::rank_problem(model, tokens, tp, gemm, workload::Pass::forward, dtype);
    block.products.push_back({problem, block.weight_bytes, block.activation_bytes, block.input_bytes});
    block.weight_bytes += aligned(problem.b_bytes());
    block.activation_bytes += aligned(problem.output_bytes());
    block.input_bytes += aligned(problem.a_bytes());
    block.flops += problem.flops();
  }
  return block;
}

}  // namespace assay::offload
