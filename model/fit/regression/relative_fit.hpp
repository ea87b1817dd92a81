// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Robust relative least squares of a formula with a few positive coefficients, and bootstrap intervals of
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay::model::fit {

/// A named coefficient. `lower` and `upper` bound 95 % of the bootstrap; `supported` is false where the data
/// do not determine the value, which then is only where the fit started or ended.
struct Coefficient {
  std::string name;
  double value = 0, lower = 0, upper = 0;
  bool supported = true;

  /// Times that do not grow with the size: a bandwidth of value 0, beyond `lower`, which is all they show.
  bool is_unbounded() const { return name == "gb_per_s" && value == 0; }
};

struct RelativeProblem {
  /// Time of row i in us, above 0, under coefficients that are all above 0.
  std::function<double(std::size_t row, std::span<const double> coefficients)> time_us;
  std::vector<double> measured_us;
  std::vector<std::size_t> cluster;  // of each row: drawn together by the bootstrap
};

/// Minimises Huber's loss of log(predicted / measured) by Levenberg and Marquardt over the logarithms of the
/// coefficients (so they stay positive). Huber's constant is 1.345 of a scale from the median absolute
/// deviation.
std::vector<double> fit_relative(const RelativeProblem& problem, std::vector<double> start);

/// 95 % interval of each by 500 bootstrap replicates of one Gauss-Newton step each (Shao and Tu 1995, 5.4),
/// whole clusters drawn. Taken back is what makes intervals of some dozens of rows too narrow: residuals that
/// are small because the fit follows their own row, and a step of Huber's loss that is too short. A
/// coefficient that no row feels, whose effect others can undo, or whose bounds are more than a factor of 2
/// apart, is not supported.
std::vector<Coefficient> with_intervals(const RelativeProblem& problem, const std::vector<double>& fitted,
                                        const std::vector<std::string>& names, std::uint64_t seed);

}  // namespace assay::model::fit
