// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A product by cuBLASLt as a load: operand sets in rotation beyond the L2, results that must stay what they
// were when nothing else ran, and exact where they are sampled.
#include <fmt/core.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/rotation.hpp"
#include "harness/workload/lt_matmul.hpp"
#include "offload/interference/device/device_loads.hpp"
#include "offload/interference/device/load_kernels.hpp"
#include "offload/interference/load_formula.hpp"
#include "offload/interference/product_check.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t alignment = 256;

std::int64_t aligned(std::int64_t bytes) { return core::rounded_up(bytes, alignment); }

std::int64_t set_bytes(const workload::Problem& problem) {
  return aligned(problem.a_bytes()) + aligned(problem.b_bytes()) + aligned(problem.output_bytes());
}

cuda::RotatingSet rotation(const workload::Problem& problem, std::int64_t l2_bytes) {
  return cuda::RotatingSet::cold(set_bytes(problem), l2_bytes);
}

class GemmLoad final : public DeviceLoad {
 public:
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

GemmLoad::GemmLoad(const workload::Problem& problem, const cuda::Device& device)
    : problem_(problem),
      rotation_(rotation(problem, device.l2_bytes)),
      memory_(static_cast<std::size_t>(rotation_.count() * set_bytes(problem))),
      workspace_(workload::lt_workspace_bytes),
      product_(problem, {}, 1),
      computed_(static_cast<std::size_t>(rotation_.count())) {
  if (product_.candidates() == 0)
    throw core::Unsupported(
        core::ErrorKind::cublas,
        fmt::format("{} has no algorithm for bf16 {} x {} x {} on this GPU",
                    workload::CublasLt::library().version(), problem.m, problem.n, problem.k));
  fill();
  for (std::int64_t set = 0; set < rotation_.count(); ++set) enqueue(nullptr);
  cuda::check(cudaDeviceSynchronize(), "run a product alone");
  alone_ = result(0);
}

workload::LtOperands GemmLoad::operands(std::int64_t set) const {
  std::byte* a = memory_.data() + set * set_bytes(problem_);
  std::byte* b = a + aligned(problem_.a_bytes());
  return {.a = a, .b = b, .d = b + aligned(problem_.b_bytes())};
}

void GemmLoad::fill() {
  for (std::int64_t set = 0; set < rotation_.count(); ++set) {
    const workload::LtOperands there = operands(set);
    cuda::check(launch_fill_operand(static_cast<std::uint16_t*>(there.a), problem_.m * problem_.k, seed_of_a,
                                    nullptr),
                "fill an operand");
    cuda::check(launch_fill_operand(static_cast<std::uint16_t*>(there.b), problem_.n * problem_.k, seed_of_b,
                                    nullptr),
                "fill an operand");
  }
  spoil(nullptr);
}

void GemmLoad::spoil(cudaStream_t stream) {
  // All ones is not a number in bf16: what was never written is not right.
  for (std::int64_t set = 0; set < rotation_.count(); ++set)
    cuda::check(
        cudaMemsetAsync(operands(set).d, 0xff, static_cast<std::size_t>(problem_.output_bytes()), stream),
        "spoil a result");
  computed_.assign(computed_.size(), false);
}

void GemmLoad::enqueue(cudaStream_t stream) {
  const std::int64_t set = rotation_.next();
  product_.enqueue(operands(set), workspace_.data(), stream);
  computed_[static_cast<std::size_t>(set)] = true;
}

std::vector<std::uint16_t> GemmLoad::result(std::int64_t set) const {
  std::vector<std::uint16_t> result(static_cast<std::size_t>(problem_.m * problem_.n));
  cuda::check(cudaMemcpy(result.data(), operands(set).d, result.size() * sizeof(std::uint16_t),
                         cudaMemcpyDeviceToHost),
              "read a product");
  return result;
}

std::optional<std::string> GemmLoad::wrong() {
  if (auto why = inexact(problem_, alone_)) return why;
  for (std::int64_t set = 0; set < rotation_.count(); ++set)
    if (computed_[static_cast<std::size_t>(set)] && result(set) != alone_)
      return "the product is not what it was when nothing else ran";
  return std::nullopt;
}

std::optional<std::int64_t> GemmLoad::blocks_of_work() const {
  const std::optional<workload::Tiling> tiling = product_.tiling(product_.chosen());
  if (!tiling) return std::nullopt;
  return workload::tiles(problem_.m, problem_.n, *tiling);
}

std::vector<core::Fact> GemmLoad::facts() const {
  std::vector<core::Fact> facts = {{"library", workload::CublasLt::library().version()},
                                   {"algorithm", "cublaslt: " + product_.name(product_.chosen())},
                                   {"operand_sets", rotation_.count()}};
  if (const auto tiling = product_.tiling(product_.chosen()))
    facts.emplace_back("gemm_tile",
                       fmt::format("{}x{}, sums in {}", tiling->rows, tiling->columns, tiling->splits));
  if (const auto blocks = blocks_of_work()) facts.emplace_back("gemm_tiles", *blocks);
  return facts;
}

}  // namespace

std::int64_t gemm_bytes(const workload::Problem& problem, std::int64_t l2_bytes) {
  return rotation(problem, l2_bytes).count() * set_bytes(problem) +
         static_cast<std::int64_t>(workload::lt_workspace_bytes);
}

std::unique_ptr<DeviceLoad> make_gemm_load(const workload::Problem& problem, const cuda::Device& device) {
  return std::make_unique<GemmLoad>(problem, device);
}

}  // namespace assay::offload
