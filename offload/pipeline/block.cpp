// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/block.hpp"

#include <array>

#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

using workload::BlockGemm;
using workload::Pass;
using workload::Problem;

/// Alignment that cuBLASLt's heuristics take for granted (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_*_BYTES), and
/// enough for a host.
constexpr std::int64_t alignment = 256;

Operand allot(Block& block, Place place, std::int64_t bytes) {
  std::int64_t& end = place == Place::shared    ? block.shared_bytes
                      : place == Place::fetched ? block.fetched_bytes
                                                : block.written_bytes;
  const Operand operand{place, end};
  end += core::rounded_up(bytes, alignment);
  return operand;
}

void add(Block& block, const Problem& problem, const Operand& a, const Operand& b, const Operand& result) {
  block.products.push_back({problem, a, b, result});
  block.flops += problem.flops();
}

void add_forward(Block& block, const Problem& problem) {
  const Operand input = allot(block, Place::shared, problem.a_bytes());
  const Operand weights = allot(block, Place::fetched, problem.b_bytes());
  add(block, problem, input, weights, allot(block, Place::written, problem.output_bytes()));
}

constexpr std::array<BlockGemm, 4> in_order{BlockGemm::qkv, BlockGemm::attention_output, BlockGemm::up_gate,
                                            BlockGemm::down};

template <class ProblemOf>
Block backward_of(const ProblemOf& problem_of) {
  Block block;
  std::array<Operand, in_order.size()> weights, outputs, gradients;
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const Problem forward = problem_of(in_order[i], Pass::forward);
    weights[i] = allot(block, Place::fetched, forward.b_bytes());
    outputs[i] = allot(block, Place::fetched, forward.output_bytes());
    gradients[i] = allot(block, Place::shared, forward.output_bytes());
  }
  for (std::size_t i = in_order.size(); i-- > 0;) {
    const Problem dgrad = problem_of(in_order[i], Pass::dgrad), wgrad = problem_of(in_order[i], Pass::wgrad);
    // A product's input is what the one before it put out, made narrower (attention, activation) or not; the
    // first one's is what the last one of the block before put out, and this block's is used instead.
    const Operand& input = outputs[(i + in_order.size() - 1) % in_order.size()];
    add(block, dgrad, gradients[i], weights[i], allot(block, Place::shared, dgrad.output_bytes()));
    add(block, wgrad, gradients[i], input, allot(block, Place::written, wgrad.output_bytes()));
  }
  return block;
}

}  // namespace

Block block_of(const workload::Transformer& model, std::int64_t tp, std::int64_t tokens,
               workload::Dtype dtype, BlockPass pass) {
  const auto problem_of = [&](BlockGemm gemm, Pass of_pass) {
    return workload::rank_problem(model, tokens, tp, gemm, of_pass, dtype);
  };
  if (pass == BlockPass::backward) return backward_of(problem_of);
  Block block;
  for (const BlockGemm gemm : in_order) add_forward(block, problem_of(gemm, Pass::forward));
  return block;
}

Block block_of(const Problem& problem) {
  Block block;
  add_forward(block, problem);
  return block;
}

}  // namespace assay::offload
