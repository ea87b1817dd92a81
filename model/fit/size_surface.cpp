// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/size_surface.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics.hpp"
#include "model/fit/symmetric_matrix.hpp"

namespace assay::model::fit {
namespace {

constexpr int passes_of_trust = 2;

double covariance(const SurfaceScales& scales, const SurfacePlace& a, const SurfacePlace& b) {
  const double r = std::sqrt(3.0) * std::abs(a.log2_size - b.log2_size) / scales.length;
  double variance = scales.common * scales.common;
  if (a.family == b.family) {
    variance += scales.family * scales.family;
    if (a.dtype == b.dtype) variance += scales.dtype * scales.dtype;
  }
  return variance * (1 + r) * std::exp(-r);
}

struct Solution {
  std::vector<double> weights;
  std::vector<double> left_out;            // error of each point, predicted from the others
  std::vector<double> left_out_deviation;  // what it may be
};

/// Leave-one-out from one factorisation (Rasmussen and Williams 2006, 5.12).
Solution solve(const std::vector<SurfacePoint>& points, const SurfaceScales& scales,
               const std::vector<double>& trust) {
  SymmetricMatrix matrix(points.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    values.push_back(points[i].value);
    for (std::size_t j = 0; j <= i; ++j)
      matrix.at(i, j) = covariance(scales, points[i].place, points[j].place);
    matrix.at(i, i) += scales.noise * scales.noise / trust[i];
  }
  const Cholesky factor(std::move(matrix));
  Solution solution{factor.solve(values), {}, {}};
  const std::vector<double> diagonal = factor.inverse_diagonal();
  for (std::size_t i = 0; i < points.size(); ++i) {
    solution.left_out.push_back(solution.weights[i] / diagonal[i]);
    solution.left_out_deviation.push_back(1 / std::sqrt(diagonal[i]));
  }
  return solution;
}

std::vector<double> trust_after(const Solution& solution) {
  std::vector<double> surprise;
  for (std::size_t i = 0; i < solution.left_out.size(); ++i)
    surprise.push_back(std::abs(solution.left_out[i]) / solution.left_out_deviation[i]);
  const double scale = std::max(1.0, 1.4826 * core::quantile_of(surprise, 0.5));
  for (double& value : surprise) {
    const double beyond = std::max(0.0, value / scale - 1.5) / 5;
    value = std::max(1e-3, beyond < 1 ? (1 - beyond * beyond) * (1 - beyond * beyond) : 0);
  }
  return surprise;
}

}  // namespace

SizeSurface SizeSurface::fit(const std::vector<SurfacePoint>& points, const SurfaceScales& scales) {
  Solution solution = solve(points, scales, std::vector<double>(points.size(), 1.0));
  for (int pass = 0; pass < passes_of_trust; ++pass) solution = solve(points, scales, trust_after(solution));
  std::vector<Anchor> anchors;
  for (std::size_t i = 0; i < points.size(); ++i) anchors.push_back({points[i].place, solution.weights[i]});
  return {scales, std::move(anchors)};
}

double SizeSurface::predict(const SurfacePlace& place) const {
  double sum = 0;
  for (const Anchor& anchor : anchors_) sum += anchor.weight * covariance(scales_, place, anchor.place);
  return sum;
}

}  // namespace assay::model::fit
