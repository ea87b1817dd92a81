// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The vector kernels of a transformer's layers and of its optimizer: what each reads and writes, its inputs,
// and its result in double precision, by the formula and not by the loops that are timed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/measure/vector_kernels.hpp"
#include "harness/core/number_formats.hpp"

namespace assay::memory {

using core::VectorKernel;
enum class VectorType { fp32, bf16, fp16 };

struct VectorFormula {
  std::string_view text;
  int inputs;  // arrays of the type that are read
  int flops;   // an element, as models of a step count them (docs/method/model.md)
};

inline constexpr std::array<VectorFormula, 6> vector_formulas = {{
    {"y = (x - mean) / sqrt(variance + 1e-5), by row", 1, 9},
    {"y = exp(x - max) / sum, by row", 1, 5},
    {"y = x/2 (1 + tanh(0.79788 (x + 0.044715 x^3)))", 1, 8},
    {"y = x + r", 2, 1},
    {"y = x / 0.9 where kept, else 0", 1, 1},
    {"AdamW in place: p, m and v are fp32, the gradient is of the type", 1, 11},
}};  // by VectorKernel

// AdamW with GPT-3's betas; the decay is large, so that rounding errors of old iterations fade.
inline constexpr float adam_beta1 = 0.9F, adam_beta2 = 0.95F, adam_rate = 0.01F, adam_decay = 0.1F,
                       adam_epsilon = 1e-8F, adam_keep = 1 - adam_rate * adam_decay;
inline constexpr float norm_epsilon = 1e-5F, dropout_scale = 1 / 0.9F, gelu_slope = 0.7978845608F,
                       gelu_cubic = 0.044715F;

/// One part of a problem: whole rows, the first of whose elements has number `first`.
struct VectorPart {
  const void* x = nullptr;  // the input; adam: the gradient
  const void* r = nullptr;  // residual_add: the second input
  void* y = nullptr;        // the output, of the type
  float* p = nullptr;       // adam: parameters and both moments
  float* m = nullptr;
  float* v = nullptr;
  std::int64_t rows = 0, columns = 0, first = 0;
  float correction1 = 1, correction2 = 1;  // adam: 1 / (1 - beta^iteration)
};

struct VectorProblem {
  VectorKernel kernel = VectorKernel::layer_norm;
  VectorType type = VectorType::fp32;
  std::int64_t rows = 0, columns = 0;
  std::int64_t elements() const { return rows * columns; }
  std::int64_t element_bytes() const { return type == VectorType::fp32 ? 4 : 2; }
  std::int64_t tensor_bytes() const { return elements() * element_bytes(); }
  std::string_view name() const { return core::vector_kernel_names[static_cast<std::size_t>(kernel)]; }
  const VectorFormula& formula() const { return vector_formulas[static_cast<std::size_t>(kernel)]; }
  bool is_adam() const { return kernel == VectorKernel::adam; }
  /// Bytes of all arrays together.
  std::int64_t footprint() const;
};

/// Elements of a row are a multiple of it: 16 bytes of the narrowest type, and the widest vector of floats.
inline constexpr std::int64_t column_step = 16;

/// kernel, dtype, pass, elements (2^18, 2^20, ... most), columns. Types: "fp32", "bf16", "fp16".
std::vector<core::Axis> vector_axes(const std::vector<std::string>& types, std::int64_t most);
/// Throws a usage Error for elements that are no whole number of rows of `columns`, a multiple of 16.
VectorProblem vector_problem(const core::Point& point);
/// Each array read once and written once, whatever a kernel reads again from a cache.
core::Work vector_work(const VectorProblem& problem);
/// gflop_per_s.
std::vector<core::Metric> vector_metrics(const VectorProblem& problem, const core::Measurement& measurement);

constexpr std::uint32_t vector_hash(std::int64_t index, std::uint32_t seed) {
  auto h = (static_cast<std::uint32_t>(index) ^ seed) * 0x9E3779B1U +
           static_cast<std::uint32_t>(static_cast<std::uint64_t>(index) >> 32);
  h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
  return h ^ (h >> 13);
}
/// Element of input array 0 or 1, or of adam's parameters (2): in [-2, 2), before rounding to the type.
constexpr float vector_input(std::int64_t index, int array) {
  return static_cast<float>(vector_hash(index, 0x51ED270BU + static_cast<std::uint32_t>(array)) >> 8) *
             0x1p-22F -
         2.0F;
}
/// Nine in ten are kept.
constexpr bool is_kept(std::int64_t index) { return vector_hash(index, 0xB5297A4DU) < 3865470566U; }

/// Calls `body` with an element of the C++ type.
template <class Body>
decltype(auto) with_vector_type(VectorType type, Body&& body) {
  if (type == VectorType::bf16) return body(core::Bf16{});
  if (type == VectorType::fp16) return body(core::Fp16{});
  return body(float{});
}

/// The corrections of iteration 1, 2, ... of adam.
float adam_correction(float beta, std::int64_t iteration);

/// Describes an error in one row's results after `iterations`, whose numbers begin at row.first and which
/// hold one row: the element, what it is and what it is by the formula. The bound of an element is one
/// rounding to the type and 64 to fp32, of a row's sum columns / 4 more; adam's is 2^-14 of its terms, of a
/// parameter 2^-12. NaN is wrong.
std::optional<std::string> wrong_in_row(const VectorProblem& problem, const VectorPart& row,
                                        std::int64_t iterations);

/// Rows to compare: all, or about 2^22 elements' worth of them, evenly spread, the first and the last too.
std::vector<std::int64_t> rows_to_compare(const VectorProblem& problem);

/// right, with how many rows were compared, or wrong.
core::Verification vector_verdict(const VectorProblem& problem, std::int64_t iterations, std::size_t compared,
                                  const std::optional<std::string>& wrong);

}  // namespace assay::memory
