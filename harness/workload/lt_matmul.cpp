// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/lt_matmul.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

cudaDataType_t lt_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
      return CUDA_R_64F;
    case Dtype::fp32:
    case Dtype::tf32:
      return CUDA_R_32F;
    case Dtype::bf16:
      return CUDA_R_16BF;
    case Dtype::fp16:
      return CUDA_R_16F;
    case Dtype::fp8_e4m3:
      return CUDA_R_8F_E4M3;
    case Dtype::int8:
      break;
  }
  return CUDA_R_8I;
}

cudaDataType_t lt_type(OutputType type) {
  switch (type) {
    case OutputType::fp64:
      return CUDA_R_64F;
    case OutputType::fp32:
      return CUDA_R_32F;
    case OutputType::bf16:
      return CUDA_R_16BF;
    case OutputType::fp16:
      return CUDA_R_16F;
    case OutputType::int32:
      break;
  }
  return CUDA_R_32I;
}

struct Arithmetic {
  cublasComputeType_t compute;
  cudaDataType_t scale;
};

Arithmetic arithmetic(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
      return {CUBLAS_COMPUTE_64F, CUDA_R_64F};
    case Dtype::tf32:
      return {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F};
    case Dtype::int8:
      return {CUBLAS_COMPUTE_32I, CUDA_R_32I};
    case Dtype::fp32:
    case Dtype::bf16:
    case Dtype::fp16:
    case Dtype::fp8_e4m3:
      break;
  }
  return {CUBLAS_COMPUTE_32F, CUDA_R_32F};
}

/// alpha or beta in the type the library reads: 1 or 0 as fp32, fp64 or int32.
class Factor {
 public:
  Factor(int value, cudaDataType_t type)
      : type_(type), fp64_(value), fp32_(static_cast<float>(value)), int32_(value) {}
  const void* get() const {
    if (type_ == CUDA_R_64F) return &fp64_;
    return type_ == CUDA_R_32I ? static_cast<const void*>(&int32_) : &fp32_;
  }

 private:
  cudaDataType_t type_;
  double fp64_;
  float fp32_;
  std::int32_t int32_;
};

LtHandle<cublasLtHandle_t> make_handle(const CublasLt& lt) {
  cublasLtHandle_t made = nullptr;
  lt.check(lt.create(&made), "create a cuBLASLt handle");
  return {made, lt.destroy};
}

/// Row-major matrices, one behind the other.
struct Matrices {
  std::int64_t rows = 0, columns = 0, count = 1;
};

/// As the column-major library sees them: transposed, leading dimension the length of a row.
LtHandle<cublasLtMatrixLayout_t> make_layout(const CublasLt& lt, cudaDataType_t type,
                                             const Matrices& matrices) {
  const auto [rows, columns, count] = matrices;
  cublasLtMatrixLayout_t made = nullptr;
  lt.check(lt.layout_create(&made, type, static_cast<std::uint64_t>(columns),
                            static_cast<std::uint64_t>(rows), columns),
           "describe a matrix");
  LtHandle<cublasLtMatrixLayout_t> owned(made, lt.layout_destroy);
  if (count == 1) return owned;
  const auto products = static_cast<std::int32_t>(count);
  const std::int64_t stride = rows * columns;
  lt.check(lt.layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &products, sizeof products),
           "describe a batch");
  lt.check(lt.layout_set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
           "describe a batch");
  return owned;
}

LtHandle<cublasLtMatrixLayout_t> make_operand(const CublasLt& lt, Dtype dtype, bool transposed,
                                              Matrices matrices) {
  if (transposed) std::swap(matrices.rows, matrices.columns);
  return make_layout(lt, lt_type(dtype), matrices);
}

template <class Value>
void set(const CublasLt& lt, cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute,
         const Value& value) {
  lt.check(lt.desc_set(description, attribute, &value, sizeof value), "describe a product");
}

/// Row-major D = A B is column-major D^T = B^T A^T, so B is the library's first operand.
LtHandle<cublasLtMatmulDesc_t> make_description(const CublasLt& lt, const Problem& problem,
                                                const LtScales& scales) {
  cublasLtMatmulDesc_t made = nullptr;
  const Arithmetic types = arithmetic(problem.dtype);
  lt.check(lt.desc_create(&made, types.compute, types.scale), "describe a product");
  LtHandle<cublasLtMatmulDesc_t> owned(made, lt.desc_destroy);
  const auto operation = [](bool transposed) {
    return static_cast<std::int32_t>(transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  };
  set(lt, made, CUBLASLT_MATMUL_DESC_TRANSA, operation(problem.b_is_transposed()));
  set(lt, made, CUBLASLT_MATMUL_DESC_TRANSB, operation(problem.a_is_transposed()));
  if (scales.b != nullptr) set(lt, made, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales.b);
  if (scales.a != nullptr) set(lt, made, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales.a);
  return owned;
}

/// Partial sums are never rounded to a type narrower than they are summed in: that would cost the exactness
/// that is checked. "In place" keeps them in the output's type (cublasLt.h, cublasLtReductionScheme_t).
std::uint32_t reductions_for(OutputType output) {
  const bool narrow = output == OutputType::bf16 || output == OutputType::fp16;
  if (narrow) return CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  return CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_INPLACE;
}

LtHandle<cublasLtMatmulPreference_t> make_preference(const CublasLt& lt, OutputType output) {
  cublasLtMatmulPreference_t made = nullptr;
  lt.check(lt.preference_create(&made), "state a preference");
  LtHandle<cublasLtMatmulPreference_t> owned(made, lt.preference_destroy);
  const std::size_t workspace = lt_workspace_bytes;
  const std::uint32_t reductions = reductions_for(output);
  lt.check(lt.preference_set(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace),
           "state the workspace");
  lt.check(
      lt.preference_set(made, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions, sizeof reductions),
      "state the reductions");
  return owned;
}

}  // namespace

LtMatmul::LtMatmul(const Problem& problem, const LtScales& scales, int candidates)
    : lt_(CublasLt::library()),
      problem_(problem),
      handle_(make_handle(lt_)),
      description_(make_description(lt_, problem, scales)),
      first_(
          make_operand(lt_, problem.dtype, problem.b_is_transposed(), {problem.k, problem.n, problem.batch})),
      second_(
          make_operand(lt_, problem.dtype, problem.a_is_transposed(), {problem.m, problem.k, problem.batch})),
      result_(make_layout(lt_, lt_type(problem.output()), {problem.m, problem.n, problem.batch})),
      candidates_(static_cast<std::size_t>(candidates)) {
  const auto preference = make_preference(lt_, problem.output());
  int found = 0;
  const cublasStatus_t status =
      lt_.heuristic(handle_.get(), description_.get(), first_.get(), second_.get(), result_.get(),
                    result_.get(), preference.get(), candidates, candidates_.data(), &found);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED) lt_.check(status, "ask for algorithms");
  candidates_.resize(static_cast<std::size_t>(status == CUBLAS_STATUS_SUCCESS ? found : 0));
  std::erase_if(candidates_, [](const auto& candidate) { return candidate.state != CUBLAS_STATUS_SUCCESS; });
}

std::string LtMatmul::no_algorithm() const {
  return fmt::format("{} has no algorithm for {} {} of {} x {} x {} on this GPU", lt_.version(),
                     to_string(problem_.dtype), problem_.layout(), problem_.m, problem_.n, problem_.k);
}

std::string LtMatmul::name(int candidate) const {
  static constexpr std::array<std::pair<const char*, cublasLtMatmulAlgoConfigAttributes_t>, 9> parts = {
      {{"algo", CUBLASLT_ALGO_CONFIG_ID},
       {"tile", CUBLASLT_ALGO_CONFIG_TILE_ID},
       {"stages", CUBLASLT_ALGO_CONFIG_STAGES_ID},
       {"split-k", CUBLASLT_ALGO_CONFIG_SPLITK_NUM},
       {"reduction", CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME},
       {"swizzle", CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING},
       {"custom", CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION},
       {"inner", CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID},
       {"cluster", CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID}}};
  const cublasLtMatmulAlgo_t& algorithm = candidates_.at(static_cast<std::size_t>(candidate)).algo;
  std::string text;
  for (const auto& [part, attribute] : parts) {
    // Attributes are 4 bytes, or 2 (inner and cluster shapes); the buffer is zeroed for the short ones.
    std::uint32_t value = 0;
    std::size_t written = 0;
    const bool narrow = attribute == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID ||
                        attribute == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID;
    const std::size_t size = narrow ? sizeof(std::uint16_t) : sizeof value;
    if (lt_.config_get(&algorithm, attribute, &value, size, &written) != CUBLAS_STATUS_SUCCESS) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, value);
  }
  return text;
}

std::optional<Tiling> LtMatmul::tiling(int candidate) const {
  const cublasLtMatmulAlgo_t& algorithm = candidates_.at(static_cast<std::size_t>(candidate)).algo;
  const auto told = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
    std::int32_t value = 0;
    std::size_t written = 0;
    const cublasStatus_t status = lt_.config_get(&algorithm, attribute, &value, sizeof value, &written);
    return status == CUBLAS_STATUS_SUCCESS ? value : 0;
  };
  const std::optional<LtTile> tile = lt_tile(told(CUBLASLT_ALGO_CONFIG_TILE_ID));
  if (!tile) return std::nullopt;
  // The library's result is this one transposed.
  return Tiling{.rows = tile->columns,
                .columns = tile->rows,
                .splits = std::max(1, told(CUBLASLT_ALGO_CONFIG_SPLITK_NUM))};
}

void LtMatmul::enqueue(const LtOperands& operands, void* workspace, cudaStream_t stream) const {
  const cudaDataType_t scale = arithmetic(problem_.dtype).scale;
  const Factor one(1, scale), beta(problem_.accumulate ? 1 : 0, scale);
  const void* c = problem_.accumulate ? operands.c : operands.d;
  const cublasLtMatmulAlgo_t& algorithm = candidates_.at(static_cast<std::size_t>(chosen_)).algo;
  lt_.check(lt_.matmul(handle_.get(), description_.get(), one.get(), operands.b, first_.get(), operands.a,
                       second_.get(), beta.get(), c, result_.get(), operands.d, result_.get(), &algorithm,
                       workspace, lt_workspace_bytes, stream),
            "queue a product");
}

}  // namespace assay::workload
