// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/repeated_looks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "harness/core/statistics/student_t.hpp"

namespace assay::results {
namespace {

constexpr double grid_step = 0.1, farthest = 6;  // in deviations of one round
constexpr int halvings = 24;

double normal_density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }

/// Densities of the sum of rounds where no look crossed its boundary yet: at the boundary, and in steps
/// below it.
class UncrossedSum {
 public:
  UncrossedSum(double boundary, Looks looks) : score_(boundary), looks_(looks), rounds_(looks.first) {
    const double deviation = std::sqrt(static_cast<double>(rounds_));
    densities_.resize(size());
    for (std::size_t at = 0; at < densities_.size(); ++at)
      densities_[at] = normal_density(value(rounds_, at) / deviation) / deviation;
  }

  void add_round() {
    const double shift = value(rounds_ + 1, 0) - value(rounds_, 0);
    constexpr auto reach = static_cast<std::ptrdiff_t>(farthest / grid_step);
    std::vector<double> noise;  // densities of one round, by steps from -reach
    for (auto step = -reach; step <= reach; ++step)
      noise.push_back(normal_density(shift + grid_step * static_cast<double>(step)));
    std::vector<double> next(size());
    for (std::ptrdiff_t at = 0; at < std::ssize(next); ++at)
      for (auto from = std::max<std::ptrdiff_t>(0, at - reach);
           from <= std::min(std::ssize(densities_) - 1, at + reach); ++from)
        next[static_cast<std::size_t>(at)] += weight(static_cast<std::size_t>(from)) *
                                              densities_[static_cast<std::size_t>(from)] *
                                              noise[static_cast<std::size_t>(from - at + reach)];
    densities_ = std::move(next);
    ++rounds_;
  }

  double probability() const {
    double sum = 0;
    for (std::size_t at = 0; at < densities_.size(); ++at) sum += weight(at) * densities_[at];
    return sum;
  }

 private:
  std::size_t size() const {
    const double deviation = std::sqrt(static_cast<double>(looks_.last));
    return static_cast<std::size_t>((farthest + score_) * deviation / grid_step);
  }
  double value(std::size_t rounds, std::size_t at) const {
    return score_ * std::sqrt(static_cast<double>(rounds)) - grid_step * static_cast<double>(at);
  }
  /// Trapezoids.
  static double weight(std::size_t at) { return at == 0 ? grid_step / 2 : grid_step; }

  double score_;
  Looks looks_;
  std::size_t rounds_;
  std::vector<double> densities_;
};

double error_of(double boundary, Looks looks) {
  UncrossedSum sum(boundary, looks);
  for (std::size_t look = looks.first; look < looks.last; ++look) sum.add_round();
  return 1 - sum.probability();
}

}  // namespace

double level_of_each_look(double error, Looks looks) {
  if (looks.first == looks.last) return error;
  double low = 0, high = farthest;
  for (int halving = 0; halving < halvings; ++halving) {
    const double middle = (low + high) / 2;
    (error_of(middle, looks) > error ? low : high) = middle;
  }
  return core::normal_probability(-high);
}

FleetRules rules_of_each_look(FleetRules rules, Looks looks) {
  rules.family_error = level_of_each_look(rules.family_error, looks);
  rules.pass_error = level_of_each_look(rules.pass_error, looks);
  return rules;
}

}  // namespace assay::results
