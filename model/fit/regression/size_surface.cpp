// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/size_surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/core/statistics/statistics.hpp"
#include "model/fit/regression/symmetric_matrix.hpp"

namespace assay::model::fit {
namespace {

constexpr int most_passes_of_trust = 6;  // two outliers side by side hide each other in the first ones
constexpr double settled = 0.02;         // change of trust
constexpr double least_trust = 1e-4;

/// From `free` standard deviations of surprise on, a row loses trust, and all of it `width` later (Tukey).
struct Patience {
  double free, width;
};
constexpr Patience patience{1.5, 5}, patience_with_doubtful{0.5, 1.5};

/// The size as rows feel it.
double felt(const SurfaceScales& scales, double log2_size) {
  const double bytes = std::exp2(log2_size);
  return std::log2(bytes + scales.flat_below_bytes) - std::log2(1 + bytes / scales.flat_above_bytes);
}

/// `distance` is between the sizes as they are felt.
double covariance(const SurfaceScales& scales, const SurfacePlace& a, const SurfacePlace& b,
                  double distance) {
  const double r = std::sqrt(3.0) * std::abs(distance) / scales.length;
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

/// Leave-one-out from one factorisation (Rasmussen and Williams 2006, 5.12), as if each point had full trust.
Solution solve(const std::vector<SurfacePoint>& points, const SurfaceScales& scales,
               const SymmetricMatrix& covariances, const std::vector<double>& trust) {
  const double noise = scales.noise * scales.noise;
  SymmetricMatrix matrix = covariances;
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    values.push_back(points[i].value);
    matrix.at(i, i) += noise / trust[i];
  }
  const Cholesky factor(std::move(matrix));
  Solution solution{factor.solve(values), {}, {}};
  const std::vector<double> diagonal = factor.inverse_diagonal();
  for (std::size_t i = 0; i < points.size(); ++i) {
    solution.left_out.push_back(solution.weights[i] / diagonal[i]);
    solution.left_out_deviation.push_back(
        std::sqrt(std::max(noise, 1 / diagonal[i] - noise / trust[i] + noise)));
  }
  return solution;
}

std::vector<double> trust_after(const Solution& solution, const std::vector<SurfacePoint>& points) {
  std::vector<double> trust;
  for (std::size_t i = 0; i < points.size(); ++i)
    trust.push_back(std::abs(solution.left_out[i]) / solution.left_out_deviation[i]);
  const double scale = std::max(1.0, 1.4826 * core::quantile_of(trust, 0.5));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [free, width] = points[i].doubtful ? patience_with_doubtful : patience;
    const double beyond = std::max(0.0, trust[i] / scale - free) / width;
    trust[i] = std::max(least_trust, beyond < 1 ? (1 - beyond * beyond) * (1 - beyond * beyond) : 0);
  }
  return trust;
}

SymmetricMatrix covariances_of(const std::vector<SurfacePoint>& points, const SurfaceScales& scales) {
  SymmetricMatrix matrix(points.size());
  std::vector<double> sizes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sizes.push_back(felt(scales, points[i].place.log2_size));
    for (std::size_t j = 0; j <= i; ++j)
      matrix.at(i, j) = covariance(scales, points[i].place, points[j].place, sizes[i] - sizes[j]);
  }
  return matrix;
}

double largest_change(const std::vector<double>& before, const std::vector<double>& after) {
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i) change = std::max(change, std::abs(after[i] - before[i]));
  return change;
}

}  // namespace

SizeSurface::SizeSurface(const SurfaceScales& scales, std::vector<Anchor> anchors)
    : scales_(scales), anchors_(std::move(anchors)) {
  for (const Anchor& anchor : anchors_) felt_sizes_.push_back(felt(scales_, anchor.place.log2_size));
}

SizeSurface SizeSurface::fit(const std::vector<SurfacePoint>& points, const SurfaceScales& scales) {
  const SymmetricMatrix covariances = covariances_of(points, scales);
  std::vector<double> trust(points.size(), 1.0);
  Solution solution = solve(points, scales, covariances, trust);
  for (int pass = 0; pass < most_passes_of_trust; ++pass) {
    const std::vector<double> before = std::exchange(trust, trust_after(solution, points));
    solution = solve(points, scales, covariances, trust);
    if (largest_change(before, trust) < settled) break;
  }
  std::vector<Anchor> anchors;
  for (std::size_t i = 0; i < points.size(); ++i) anchors.push_back({points[i].place, solution.weights[i]});
  return {scales, std::move(anchors)};
}

double SizeSurface::predict(const SurfacePlace& place) const {
  double sum = 0;
  const double size = felt(scales_, place.log2_size);
  for (std::size_t i = 0; i < anchors_.size(); ++i)
    sum += anchors_[i].weight * covariance(scales_, place, anchors_[i].place, size - felt_sizes_[i]);
  return sum;
}

}  // namespace assay::model::fit
