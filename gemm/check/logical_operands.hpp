// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The operands of one product of a set as numbers at logical positions, from their recipes alone: no memory
// of any device and no library stands between them and a check.
#pragma once

#include <cstdint>

#include "gemm/operand.hpp"
#include "gemm/problem.hpp"
#include "gemm/recipe.hpp"

namespace assay::gemm {

/// `problem` must outlive it.
class LogicalOperands {
 public:
  LogicalOperands(const Problem& problem, Data data, int set, std::int64_t product = 0)
      : problem_(problem), recipes_(recipes(problem, data, set)), product_(product) {}

  double a(std::int64_t i, std::int64_t k) const {
    const std::int64_t within = problem_.a_is_transposed() ? k * problem_.m + i : i * problem_.k + k;
    return value(recipes_.a, product_ * problem_.m * problem_.k + within);
  }
  double b(std::int64_t k, std::int64_t j) const {
    const std::int64_t within = problem_.b_is_transposed() ? j * problem_.k + k : k * problem_.n + j;
    return value(recipes_.b, product_ * problem_.k * problem_.n + within);
  }
  /// The value that the products are added to: 0 where the problem does not accumulate.
  double c(std::int64_t i, std::int64_t j) const {
    return problem_.accumulate ? value(recipes_.c, (product_ * problem_.m + i) * problem_.n + j) : 0.0;
  }
  /// The factor that turns the sum of stored products into the result (fp8 takes its scales out again).
  double result_scale() const {
    return problem_.dtype == Dtype::fp8_e4m3 ? 1.0 / (recipes_.a.scale * recipes_.b.scale) : 1.0;
  }

 private:
  double value(const OperandRecipe& recipe, std::int64_t position) const {
    return decode(recipe.dtype, operand_element(recipe, table_, static_cast<std::uint64_t>(position)).bits);
  }

  const Problem& problem_;
  Recipes recipes_;
  std::int64_t product_;
  const float* table_ = normal_table().data();
};

}  // namespace assay::gemm
