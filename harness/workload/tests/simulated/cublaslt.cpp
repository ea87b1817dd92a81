// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library that answers as cuBLASLt and multiplies on the simulated GPU of the program that opens it, in
// fp64 or exactly. It refuses what the real one does not have on Hopper (cuBLASLt documentation,
// cublasLtMatmul).
#include <cublasLt.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"
#include "harness/workload/tests/simulated/elements.hpp"

namespace {

using namespace assay::workload::simulated;
namespace h100 = assay::core::simulated::h100;

struct Matrix {
  cudaDataType_t type;
  std::int64_t rows, columns, leading;
  std::int32_t batch = 1;
  std::int64_t stride = 0, first = 0;  // first: of the product at hand
  std::int64_t index(std::int64_t row, std::int64_t column) const { return first + row + column * leading; }
  void select(std::int64_t product) { first = product * stride; }
};

struct Description {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  std::int32_t transposes_a = CUBLAS_OP_N, transposes_b = CUBLAS_OP_N;
  const float *scale_a = nullptr, *scale_b = nullptr;
};

Matrix& matrix(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<Matrix*>(layout); }
Description& described(cublasLtMatmulDesc_t made) { return *reinterpret_cast<Description*>(made); }

bool is_8_bit(cudaDataType_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8I; }

/// Rows of op(X) as a list of `length` numbers each, so that products run along both lists.
template <class Number>
std::vector<Number> lists(const Matrix& m, const void* data, bool by_columns) {
  const std::int64_t count = by_columns ? m.columns : m.rows, length = by_columns ? m.rows : m.columns;
  std::vector<Number> numbers(static_cast<std::size_t>(count * length));
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t l = 0; l < length; ++l)
      numbers[static_cast<std::size_t>(i * length + l)] =
          static_cast<Number>(number_at(data, by_columns ? m.index(l, i) : m.index(i, l), m.type));
  return numbers;
}

struct Product {
  Description how;
  Matrix a, b, d;
  const void *from_a, *from_b, *from_c;
  void* to;
  double alpha, beta;

  std::int64_t inner() const { return how.transposes_a == CUBLAS_OP_T ? a.rows : a.columns; }
  bool fits() const {
    const bool ta = how.transposes_a == CUBLAS_OP_T, tb = how.transposes_b == CUBLAS_OP_T;
    return (ta ? a.columns : a.rows) == d.rows && (tb ? b.rows : b.columns) == d.columns &&
           (tb ? b.columns : b.rows) == inner() && a.type == b.type && a.batch == d.batch &&
           b.batch == d.batch;
  }
  /// 8-bit operands lie with k contiguous, in rows of a multiple of 16 bytes.
  bool is_supported() const {
    if (!fits()) return false;
    if (!is_8_bit(a.type)) return true;
    return how.transposes_a == CUBLAS_OP_T && how.transposes_b == CUBLAS_OP_N && a.leading % 16 == 0 &&
           b.leading % 16 == 0 && d.rows % 16 == 0;
  }
  /// Sums of 8-bit integers need more than fp32 holds.
  void compute() {
    for (std::int32_t product = 0; product < d.batch; ++product) {
      for (Matrix* of : {&a, &b, &d}) of->select(product);
      compute_one();
    }
    assay::cuda::simulated::spend(seconds());
    if (assay::cuda::simulated::product_is_wrong()) finish(d.first, 77);
  }

 private:
  void compute_one() const {
    if (a.type == CUDA_R_64F || a.type == CUDA_R_8I)
      compute_in<double>();
    else
      compute_in<float>();
  }
  double peak() const {
    if (a.type == CUDA_R_64F) return h100::fp64_flop_per_s;
    if (is_8_bit(a.type)) return h100::fp8_flop_per_s;
    if (a.type != CUDA_R_32F) return h100::bf16_flop_per_s;
    return how.compute == CUBLAS_COMPUTE_32F ? h100::fp32_flop_per_s : h100::tf32_flop_per_s;
  }
  /// Whole tiles in whole waves, and less of the peak for a short k.
  double seconds() const {
    const auto tiles = [](std::int64_t length) {
      const std::int64_t whole = (length + h100::tile - 1) / h100::tile;
      return static_cast<double>(whole);
    };
    const double waves = std::ceil(d.batch * tiles(d.rows) * tiles(d.columns) / h100::multiprocessors);
    const double k = static_cast<double>(inner()) + h100::half_of_k;
    const double flops = 2.0 * waves * h100::multiprocessors * h100::tile * h100::tile * k;
    const double rate = peak() * h100::best_efficiency * h100::loaded_clock_mhz / h100::peak_clock_mhz;
    return h100::launch_s + flops / rate;
  }
  template <class Number>
  void compute_in() const {
    const std::vector<Number> left = lists<Number>(a, from_a, how.transposes_a == CUBLAS_OP_T);
    const std::vector<Number> right = lists<Number>(b, from_b, how.transposes_b == CUBLAS_OP_N);
    for (std::int64_t column = 0; column < d.columns; ++column)
      for (std::int64_t row = 0; row < d.rows; ++row)
        finish(d.index(row, column), dot(left.data() + row * inner(), right.data() + column * inner()));
  }
  template <class Number>
  Number dot(const Number* x, const Number* y) const {
    Number sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t l = 0; l < inner(); ++l) sum += x[l] * y[l];
    return sum;
  }
  void finish(std::int64_t at, double sum) const {
    const double scale_a = how.scale_a != nullptr ? *how.scale_a : 1,
                 scale_b = how.scale_b != nullptr ? *how.scale_b : 1;
    const double before = beta != 0 ? beta * number_at(from_c, at, d.type) : 0;
    store_number(to, at, d.type, alpha * scale_a * scale_b * sum + before);
  }
};

Product product(cublasLtMatmulDesc_t how, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                cublasLtMatrixLayout_t d) {
  return {.how = described(how),
          .a = matrix(a),
          .b = matrix(b),
          .d = matrix(d),
          .from_a = nullptr,
          .from_b = nullptr,
          .from_c = nullptr,
          .to = nullptr,
          .alpha = 0,
          .beta = 0};
}

template <class Member>
cublasStatus_t copy(const void* value, std::size_t size, Member& member) {
  if (size != sizeof member) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&member, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

/// As cuBLASLt 13.1 on an H100: the heuristic takes any pointer, the product then refuses one that is not
/// aligned to 16 bytes.
bool is_aligned(const float* scale) { return reinterpret_cast<std::uintptr_t>(scale) % 16 == 0; }

constexpr std::uint64_t first_algorithm = 60, refused_algorithm = 62;

template <class Made, class Thing>
cublasStatus_t give(Made* made, Thing thing) {
  *made = reinterpret_cast<Made>(new Thing(thing));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

std::size_t cublasLtGetVersion() { return CUBLAS_VER_MAJOR * 10000; }
const char* cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED ? "not supported" : "simulated";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* made) { return give(made, int{}); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t made) {
  delete reinterpret_cast<int*>(made);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  if (leading < static_cast<std::int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  return give(made,
              Matrix{type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), leading});
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t made,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t size) {
  const auto set = [&](auto& member) { return copy(value, size, member); };
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return set(matrix(made).batch);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) return set(matrix(made).stride);
  return CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t made) {
  delete &matrix(made);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return give(made, Description{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t made) {
  delete &described(made);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t made,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t size) {
  Description& how = described(made);
  const auto set = [&](auto& member) { return copy(value, size, member); };
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(how.transposes_a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(how.transposes_b);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return set(how.scale_a);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return set(how.scale_b);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) { return give(made, int{}); }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t made) {
  delete reinterpret_cast<int*>(made);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void*, std::size_t size) {
  const std::size_t expected =
      attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  return size == expected ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/// Three algorithms, if asked for so many, that differ in their numbers; the last is refused when it is to
/// run.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t how,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int most,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  if (!product(how, a, b, d).is_supported()) return CUBLAS_STATUS_NOT_SUPPORTED;
  *found = most < 3 ? most : 3;
  for (int i = 0; i < *found; ++i) {
    results[i] = {};
    results[i].algo.data[0] = first_algorithm + static_cast<std::uint64_t>(i);
  }
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void* value, std::size_t size, std::size_t* written) {
  std::uint32_t told = 0;
  if (attribute == CUBLASLT_ALGO_CONFIG_ID) told = static_cast<std::uint32_t>(algorithm->data[0]);
  if (attribute == CUBLASLT_ALGO_CONFIG_TILE_ID) told = CUBLASLT_MATMUL_TILE_64x64;
  if (attribute == CUBLASLT_ALGO_CONFIG_SPLITK_NUM) told = 1;
  if (size > sizeof told) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, &told, size);
  *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t how, const void* alpha,
                              const void* from_a, cublasLtMatrixLayout_t a, const void* from_b,
                              cublasLtMatrixLayout_t b, const void* beta, const void* from_c,
                              cublasLtMatrixLayout_t, void* to, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t* algorithm, void*, std::size_t,
                              cudaStream_t stream) {
  Product work = product(how, a, b, d);
  if (!work.is_supported() || algorithm->data[0] == refused_algorithm) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!is_aligned(work.how.scale_a) || !is_aligned(work.how.scale_b)) return CUBLAS_STATUS_NOT_SUPPORTED;
  work.from_a = from_a;
  work.from_b = from_b;
  work.from_c = from_c;
  work.to = to;
  work.alpha = number_at(alpha, 0, work.how.scale);
  work.beta = number_at(beta, 0, work.how.scale);
  assay::cuda::simulated::queue_work(stream, [work]() mutable { work.compute(); });
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
