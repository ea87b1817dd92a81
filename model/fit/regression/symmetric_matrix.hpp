// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Positive definite matrices, small enough for memory: Cholesky's factor solves and inverts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::model::fit {

/// Square; only the lower triangle (column <= row) means anything.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::size_t size) : size_(size), cells_(size * size) {}

  std::size_t size() const { return size_; }
  double& at(std::size_t row, std::size_t column) { return cells_[row * size_ + column]; }
  const double& at(std::size_t row, std::size_t column) const { return cells_[row * size_ + column]; }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

/// A = L L^T. Throws std::runtime_error for a matrix that is not positive definite.
class Cholesky {
 public:
  explicit Cholesky(SymmetricMatrix matrix);

  std::vector<double> solve(std::span<const double> right) const;
  /// The diagonal of the inverse.
  std::vector<double> inverse_diagonal() const;

 private:
  SymmetricMatrix lower_;
};

}  // namespace assay::model::fit
