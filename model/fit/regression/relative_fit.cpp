// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/relative_fit.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/core/statistics/statistics.hpp"
#include "model/fit/regression/symmetric_matrix.hpp"

namespace assay::model::fit {
namespace {

constexpr double step_of_log = 1e-4;
constexpr int replicates = 500;
constexpr double longest_step = 20;    // of a draw that does not determine a coefficient: still a number
constexpr double least_felt = 1e-2;    // what residuals in all change by a factor e, others adapting
constexpr double least_freedom = 0.1;  // of a row, so that one alone cannot make an interval endless

std::vector<double> exponentials(const std::vector<double>& logs) {
  std::vector<double> values(logs);
  for (double& value : values) value = std::exp(value);
  return values;
}

/// Residuals log(predicted / measured), their derivatives by the logarithm of each coefficient, Huber's
/// weights of the residuals and of the derivatives.
struct Linearised {
  std::size_t coefficients = 0;
  std::vector<double> residual, weight, bend, derivative;  // derivative[row * coefficients + c]

  std::span<const double> row(std::size_t i) const {
    return {derivative.data() + i * coefficients, coefficients};
  }
};

std::vector<double> residuals(const RelativeProblem& problem, const std::vector<double>& logs) {
  const std::vector<double> coefficients = exponentials(logs);
  std::vector<double> result(problem.measured_us.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = std::log(problem.time_us(i, coefficients) / problem.measured_us[i]);
  return result;
}

double huber_bound(const std::vector<double>& residual) {
  std::vector<double> magnitudes(residual);
  for (double& value : magnitudes) value = std::abs(value);
  return std::max(1.345 * 1.4826 * core::quantile_of(magnitudes, 0.5), 1e-6);
}

double huber_loss(const std::vector<double>& residual, double bound) {
  double loss = 0;
  for (const double value : residual) {
    const double size = std::abs(value);
    loss += size <= bound ? 0.5 * size * size : bound * (size - 0.5 * bound);
  }
  return loss;
}

Linearised linearise(const RelativeProblem& problem, const std::vector<double>& logs) {
  Linearised result{logs.size(), residuals(problem, logs), {}, {}, {}};
  result.derivative.resize(result.residual.size() * logs.size());
  for (std::size_t c = 0; c < logs.size(); ++c) {
    std::vector<double> moved(logs);
    moved[c] += step_of_log;
    const std::vector<double> there = residuals(problem, moved);
    for (std::size_t i = 0; i < there.size(); ++i)
      result.derivative[i * logs.size() + c] = (there[i] - result.residual[i]) / step_of_log;
  }
  const double bound = huber_bound(result.residual);
  for (const double value : result.residual)
    result.weight.push_back(std::min(1.0, bound / std::max(std::abs(value), bound)));
  result.bend = result.weight;
  return result;
}

/// The matrix of the Gauss-Newton step with each row taken `times` times.
Cholesky normal_equations(const Linearised& at, std::span<const double> times, double damping) {
  const std::size_t size = at.coefficients;
  SymmetricMatrix normal(size);
  for (std::size_t i = 0; i < at.residual.size(); ++i) {
    const double weight = at.bend[i] * times[i];
    if (weight == 0) continue;
    const auto row = at.row(i);
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b <= a; ++b) normal.at(a, b) += weight * row[a] * row[b];
  }
  // The floor keeps a coefficient that no row feels where it is.
  for (std::size_t a = 0; a < size; ++a) normal.at(a, a) += damping * normal.at(a, a) + 1e-9;
  return Cholesky(normal);
}

/// The step itself; nothing where it is not determined.
std::vector<double> step(const Linearised& at, std::span<const double> times, double damping) {
  std::vector<double> right(at.coefficients);
  for (std::size_t i = 0; i < at.residual.size(); ++i)
    for (std::size_t a = 0; a < right.size(); ++a)
      right[a] -= at.weight[i] * times[i] * at.row(i)[a] * at.residual[i];
  return normal_equations(at, times, damping).solve(right);
}

/// Newton's step of Huber's loss, which a row beyond the bound pulls without bending, and residuals as far
/// off as they are without their own row in the fit: divided by 1 - leverage (HC3 of MacKinnon and White
/// 1985).
void correct_for_few_rows(Linearised& at) {
  for (std::size_t i = 0; i < at.residual.size(); ++i) at.bend[i] = at.weight[i] < 1 ? 0 : 1;
  const std::vector<double> once(at.residual.size(), 1.0);
  const Cholesky normal = normal_equations(at, once, 0);
  for (std::size_t i = 0; i < at.residual.size(); ++i) {
    const auto row = at.row(i);
    const std::vector<double> pull = normal.solve(row);
    double leverage = 0;
    for (std::size_t a = 0; a < row.size(); ++a) leverage += at.bend[i] * row[a] * pull[a];
    at.residual[i] /= std::max(1 - leverage, least_freedom);
  }
}

std::vector<double> clusters_drawn(const RelativeProblem& problem, std::size_t clusters,
                                   std::mt19937_64& random) {
  std::vector<double> times_of_cluster(clusters);
  for (std::size_t i = 0; i < clusters; ++i) times_of_cluster[random() % clusters] += 1;
  std::vector<double> times;
  for (const std::size_t cluster : problem.cluster) times.push_back(times_of_cluster[cluster]);
  return times;
}

}  // namespace

std::vector<double> fit_relative(const RelativeProblem& problem, std::vector<double> start) {
  for (double& value : start) value = std::log(value);
  const std::vector<double> once(problem.measured_us.size(), 1.0);
  double damping = 1e-3;
  for (int iteration = 0; iteration < 60 && damping < 1e9; ++iteration) {
    const Linearised at = linearise(problem, start);
    const double bound = huber_bound(at.residual), before = huber_loss(at.residual, bound);
    std::vector<double> moved(start);
    const std::vector<double> by = step(at, once, damping);
    for (std::size_t c = 0; c < moved.size(); ++c) moved[c] += std::clamp(by[c], -1.0, 1.0);
    const double after = huber_loss(residuals(problem, moved), bound);
    damping *= after < before ? 0.3 : 10;
    if (after < before) start = moved;
    if (after < before && before - after < 1e-7 * before) break;
  }
  return exponentials(start);
}

std::vector<Coefficient> with_intervals(const RelativeProblem& problem, const std::vector<double>& fitted,
                                        const std::vector<std::string>& names, std::uint64_t seed) {
  std::vector<double> logs(fitted);
  for (double& value : logs) value = std::log(value);
  Linearised at = linearise(problem, logs);
  const std::vector<double> once(at.residual.size(), 1.0);
  // A coefficient that the rows do not determine, alone or against others, has a variance without bound.
  const std::vector<double> variance = normal_equations(at, once, 0).inverse_diagonal();
  correct_for_few_rows(at);
  const std::vector<double> centre = step(at, once, 0);
  const std::size_t clusters = 1 + *std::ranges::max_element(problem.cluster);
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> drawn(fitted.size());
  for (int replicate = 0; replicate < replicates; ++replicate) {
    const std::vector<double> by = step(at, clusters_drawn(problem, clusters, random), 0);
    for (std::size_t c = 0; c < by.size(); ++c)
      drawn[c].push_back(fitted[c] * std::exp(std::clamp(by[c] - centre[c], -longest_step, longest_step)));
  }
  std::vector<Coefficient> result;
  for (std::size_t c = 0; c < fitted.size(); ++c) {
    Coefficient coefficient{names[c], fitted[c], core::quantile_of(drawn[c], 0.025),
                            core::quantile_of(drawn[c], 0.975)};
    coefficient.supported =
        variance[c] < 1 / (least_felt * least_felt) && coefficient.upper < 2 * coefficient.lower;
    result.push_back(coefficient);
  }
  return result;
}

}  // namespace assay::model::fit
