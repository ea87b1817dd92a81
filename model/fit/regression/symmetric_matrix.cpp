// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/symmetric_matrix.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace assay::model::fit {
namespace {

/// Four sums at a time: nearly all the time of a surface is spent here.
double dot(const double* a, const double* b, std::size_t size) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  for (; i < size; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

Cholesky::Cholesky(SymmetricMatrix matrix) : lower_(std::move(matrix)) {
  for (std::size_t row = 0; row < lower_.size(); ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const double* a = &lower_.at(row, 0);
      const double* b = &lower_.at(column, 0);
      const double rest = lower_.at(row, column) - dot(a, b, column);
      if (row != column) {
        lower_.at(row, column) = rest / lower_.at(column, column);
        continue;
      }
      if (!(rest > 0)) throw std::runtime_error("a matrix to be factored is not positive definite");
      lower_.at(row, row) = std::sqrt(rest);
    }
  }
}

std::vector<double> Cholesky::solve(std::span<const double> right) const {
  std::vector<double> x(right.begin(), right.end());
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column) x[row] -= lower_.at(row, column) * x[column];
    x[row] /= lower_.at(row, row);
  }
  for (std::size_t row = x.size(); row-- > 0;) {
    x[row] /= lower_.at(row, row);
    for (std::size_t column = 0; column < row; ++column) x[column] -= lower_.at(row, column) * x[row];
  }
  return x;
}

std::vector<double> Cholesky::inverse_diagonal() const {
  const std::size_t size = lower_.size();
  std::vector<double> diagonal(size), column(size);
  for (std::size_t unit = 0; unit < size; ++unit) {  // column `unit` of L^-1
    for (std::size_t row = unit; row < size; ++row) {
      const double* l = &lower_.at(row, 0);
      const double sum = dot(l + unit, column.data() + unit, row - unit);
      column[row] = ((row == unit ? 1.0 : 0.0) - sum) / lower_.at(row, row);
      diagonal[unit] += column[row] * column[row];
    }
  }
  return diagonal;
}

}  // namespace assay::model::fit
