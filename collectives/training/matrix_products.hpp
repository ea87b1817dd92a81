// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The products of a training step, on fp32 operands whatever the type that they are multiplied in.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/training/model_shape.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

class MatrixProducts {
 public:
  MatrixProducts() = default;
  MatrixProducts(const MatrixProducts&) = delete;
  MatrixProducts& operator=(const MatrixProducts&) = delete;
  virtual ~MatrixProducts() = default;

  /// c = a b, stored as the problem's pass says. Throws core::Error where the library refuses.
  virtual void multiply(const workload::Problem& problem, std::span<const float> a, std::span<const float> b,
                        std::span<float> c) = 0;
  virtual std::vector<core::Fact> facts() const = 0;
};

/// Products of the host's library, with `threads` of the calling thread's OpenMP team while they live. bf16
/// operands are rounded to nearest even before each product.
std::unique_ptr<MatrixProducts> make_library_products(const ModelShape& shape, int threads);

/// The library that this build lacks for them; why this CPU has none.
std::optional<std::string> products_not_built(const ModelShape& shape);
std::optional<std::string> why_no_products(const ModelShape& shape);

}  // namespace assay::collectives
