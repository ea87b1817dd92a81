// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Products by three loops, for tests: of no library, and damaged where a test asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "collectives/training/matrix_products.hpp"

namespace assay::collectives {

class PlainProducts final : public MatrixProducts {
 public:
  /// Called after each product with the step, from 0 over all runs, whether it is the step's last, which is a
  /// gradient of weights, and the result.
  using Damage = std::function<void(std::int64_t step, bool is_last, std::span<float> result)>;
  explicit PlainProducts(const ModelShape& shape, Damage damage = {})
      : of_step_(std::ssize(products_of(shape))), damage_(std::move(damage)) {}

  void multiply(const workload::Problem& problem, std::span<const float> a, std::span<const float> b,
                std::span<float> c) override {
    const workload::Problem& p = problem;
    for (std::int64_t one = 0; one < p.batch; ++one)
      multiply_one(p, a.data() + one * p.m * p.k, b.data() + one * p.k * p.n, c.data() + one * p.m * p.n);
    const std::int64_t step = products_ / of_step_, place = products_ % of_step_;
    ++products_;
    if (damage_) damage_(step, place == of_step_ - 1, c);
  }
  std::vector<core::Fact> facts() const override { return {{"library", "three loops"}}; }

 private:
  static void multiply_one(const workload::Problem& p, const float* a, const float* b, float* c) {
    const std::int64_t down_a = p.a_is_transposed() ? 1 : p.k, along_a = p.a_is_transposed() ? p.m : 1,
                       down_b = p.b_is_transposed() ? 1 : p.n, along_b = p.b_is_transposed() ? p.k : 1;
    for (std::int64_t row = 0; row < p.m; ++row)
      for (std::int64_t column = 0; column < p.n; ++column) {
        double sum = 0;
        for (std::int64_t i = 0; i < p.k; ++i)
          sum += static_cast<double>(a[row * down_a + i * along_a]) *
                 static_cast<double>(b[i * down_b + column * along_b]);
        c[row * p.n + column] = static_cast<float>(sum);
      }
  }

  std::int64_t of_step_, products_ = 0;
  Damage damage_;
};

}  // namespace assay::collectives
