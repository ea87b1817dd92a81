// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/early_life_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace assay::model::reliability {
namespace {

constexpr std::int64_t fewest_failures = 20;
constexpr double gain_needed = 11.34;  // chi-squared of three degrees of freedom, 1 %
constexpr double two_sided_95 = 1.96;

/// Logarithms of rate, early and scale; of shape the one that keeps it within (0, 1): log(1 / shape - 1).
using Place = std::array<double, 4>;

/// Statistics of all nodes that the likelihood needs.
struct Observed {
  std::vector<double> ages;                  // of failures, above 0
  std::map<double, std::int64_t> lifetimes;  // by days: nodes
  double node_days = 0;
  std::int64_t nodes = 0;
};

EarlyLife life_at(const Place& place) {
  return {.per_day = std::exp(place[0]),
          .early = std::exp(place[1]),
          .scale_days = std::exp(place[2]),
          .shape = 1 / (1 + std::exp(place[3]))};
}

Observed observe(const std::vector<NodeLife>& nodes) {
  constexpr double a_minute = 1.0 / 1440;  // looks are no closer, and at age 0 a Weibull rate is infinite
  Observed seen;
  for (const NodeLife& node : nodes) {
    if (!(node.days > 0)) continue;
    ++seen.nodes;
    ++seen.lifetimes[node.days];
    seen.node_days += node.days;
    for (const double age : node.failures_days) seen.ages.push_back(std::clamp(age, a_minute, node.days));
  }
  return seen;
}

/// Minus its logarithm, but for a constant: the rate at each failure, and no failure else.
double unlikelihood(const Observed& seen, const Place& place) {
  const EarlyLife life = life_at(place);
  double sum = 0;
  for (const auto& [days, nodes] : seen.lifetimes)
    sum += static_cast<double>(nodes) * expected_failures(life, 0, days);
  for (const double age : seen.ages) {
    const double x = age / life.scale_days, power = std::pow(x, life.shape);
    sum -= std::log(life.per_day + life.early * life.shape / age * power * std::exp(-power));
  }
  return std::isfinite(sum) ? sum : 1e300;
}

/// Nelder and Mead (1965, "A simplex method for function minimization").
class Simplex {
 public:
  /// Moves along the first `axes`.
  Simplex(const Observed& seen, const Place& start, std::size_t axes = 4) : seen_(seen) {
    add(start);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      Place corner = start;
      corner[axis] += 0.7;
      add(corner);
    }
  }

  Place lowest() {
    constexpr int most_steps = 1500;
    constexpr double flat = 1e-9;
    for (int step = 0; step < most_steps; ++step) {
      std::ranges::sort(corners_, {}, &Corner::first);
      if (corners_.back().first - corners_.front().first < flat) break;
      improve();
    }
    return std::ranges::min(corners_, {}, &Corner::first).second;
  }

 private:
  using Corner = std::pair<double, Place>;
  void add(const Place& place) { corners_.emplace_back(unlikelihood(seen_, place), place); }
  /// On the line from the worst corner through the middle of the others.
  Corner beyond(double distance) const {
    Place place{};
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      double middle = 0;
      for (std::size_t at = 0; at + 1 < corners_.size(); ++at) middle += corners_[at].second[axis];
      middle /= static_cast<double>(corners_.size() - 1);
      place[axis] = middle + distance * (middle - corners_.back().second[axis]);
    }
    return {unlikelihood(seen_, place), place};
  }
  void improve() {
    const Corner reflected = beyond(1);
    const double second_worst = corners_[corners_.size() - 2].first;
    if (reflected.first < corners_.front().first) {
      const Corner expanded = beyond(2);
      corners_.back() = expanded.first < reflected.first ? expanded : reflected;
    } else if (reflected.first < second_worst) {
      corners_.back() = reflected;
    } else if (const Corner nearer = beyond(reflected.first < corners_.back().first ? 0.5 : -0.5);
               nearer.first < std::min(reflected.first, corners_.back().first)) {
      corners_.back() = nearer;
    } else {
      shrink();
    }
  }
  void shrink() {
    for (std::size_t at = 1; at < corners_.size(); ++at) {
      Corner& corner = corners_[at];
      for (std::size_t axis = 0; axis < corner.second.size(); ++axis)
        corner.second[axis] = (corner.second[axis] + corners_.front().second[axis]) / 2;
      corner.first = unlikelihood(seen_, corner.second);
    }
  }

  const Observed& seen_;
  std::vector<Corner> corners_;
};

using Matrix = std::array<std::array<double, 4>, 4>;

/// Second derivatives by central differences.
Matrix curvature(const Observed& seen, const Place& place) {
  constexpr double step = 0.02;
  const auto at = [&](std::size_t one, double by, std::size_t other, double by_other) {
    Place moved = place;
    moved[one] += by;
    moved[other] += by_other;
    return unlikelihood(seen, moved);
  };
  Matrix matrix{};
  for (std::size_t i = 0; i < place.size(); ++i)
    for (std::size_t j = 0; j < place.size(); ++j)
      matrix[i][j] =
          (at(i, step, j, step) - at(i, step, j, -step) - at(i, -step, j, step) + at(i, -step, j, -step)) /
          (4 * step * step);
  return matrix;
}

/// The diagonal of its inverse, by Gauss and Jordan; nothing where the matrix is not positive definite.
std::optional<Place> variances(Matrix matrix) {
  Matrix inverse{};
  for (std::size_t i = 0; i < 4; ++i) inverse[i][i] = 1;
  for (std::size_t pivot = 0; pivot < 4; ++pivot) {
    const double by = matrix[pivot][pivot];
    if (!(by > 1e-9)) return std::nullopt;
    for (std::size_t column = 0; column < 4; ++column) {
      matrix[pivot][column] /= by;
      inverse[pivot][column] /= by;
    }
    for (std::size_t row = 0; row < 4; ++row) {
      if (row == pivot) continue;
      const double times = matrix[row][pivot];
      for (std::size_t column = 0; column < 4; ++column) {
        matrix[row][column] -= times * matrix[pivot][column];
        inverse[row][column] -= times * inverse[pivot][column];
      }
    }
  }
  Place diagonal{};
  for (std::size_t i = 0; i < 4; ++i) diagonal[i] = inverse[i][i];
  return diagonal;
}

/// Looks of a day apart show no rate that falls within it: the most likely shape is then 1, where the curve
/// has no top. The shape that the likelihood still allows, with all else fitted to it: Wilks (1938).
double least_shape(const Observed& seen, const Place& best) {
  constexpr double allowed = 3.84 / 2, far = 4;  // far: a shape of 0.02
  const double top = unlikelihood(seen, best);
  double low = std::max(best[3], -far), high = far;
  for (int step = 0; step < 20; ++step) {
    Place at = best;
    at[3] = (low + high) / 2;
    (unlikelihood(seen, Simplex(seen, at, 3).lowest()) - top < allowed ? low : high) = at[3];
  }
  return 1 / (1 + std::exp(high));
}

Place most_likely(const Observed& seen) {
  std::vector<double> ages = seen.ages;
  std::ranges::sort(ages);
  const double failures = static_cast<double>(ages.size()), nodes = static_cast<double>(seen.nodes);
  Place best{};
  double lowest = 1e301;
  for (const double quantile : {0.1, 0.3, 0.6}) {
    const double scale = ages[static_cast<std::size_t>(quantile * (failures - 1))];
    const Place found = Simplex(seen, {std::log(0.5 * failures / seen.node_days),
                                       std::log(0.5 * failures / nodes), std::log(scale), 0})
                            .lowest();
    // A second simplex leaves where the first one had become flat.
    const Place settled = Simplex(seen, found).lowest();
    if (const double value = unlikelihood(seen, settled); value < lowest) lowest = value, best = settled;
  }
  return best;
}

}  // namespace

EarlyLifeFit fit_early_life(const std::vector<NodeLife>& nodes) {
  const Observed seen = observe(nodes);
  EarlyLifeFit fit{.nodes = seen.nodes, .failures = std::ssize(seen.ages), .why_not = {}};
  if (fit.failures < fewest_failures) {
    fit.why_not = fmt::format("{} failures (expected {} at least)", fit.failures, fewest_failures);
    return fit;
  }
  const Place place = most_likely(seen);
  const auto failures = static_cast<double>(fit.failures);
  const double constant = failures - failures * std::log(failures / seen.node_days);
  fit.gain = 2 * (constant - unlikelihood(seen, place));
  constexpr double flat_shape = 0.99;
  const bool at_bound = life_at(place).shape > flat_shape;
  Matrix curves = curvature(seen, place);
  for (std::size_t axis = 0; at_bound && axis < curves.size(); ++axis) curves[axis][3] = curves[3][axis] = 0;
  if (at_bound) curves[3][3] = 1;
  const auto variance = variances(curves);
  if (fit.gain < gain_needed)
    fit.why_not = fmt::format("{} failures fit a constant rate as well (gain {:.1f}, expected {:.1f})",
                              fit.failures, std::max(fit.gain, 0.0), gain_needed);
  else if (!variance)
    fit.why_not = fmt::format("the ages of {} failures do not determine its parameters", fit.failures);
  if (!fit.why_not.empty()) return fit;
  fit.life = life_at(place);
  Place low = place, high = place;
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    low[axis] -= two_sided_95 * std::sqrt((*variance)[axis]);
    high[axis] += two_sided_95 * std::sqrt((*variance)[axis]);
  }
  const EarlyLife lower = life_at(low), upper = life_at(high);
  fit.early = {lower.early, upper.early};
  fit.scale_days = {lower.scale_days, upper.scale_days};
  fit.shape = at_bound ? Interval{least_shape(seen, place), 1} : Interval{upper.shape, lower.shape};
  return fit;
}

}  // namespace assay::model::reliability
