// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far an upper quantile of one sample is above that of another, and how much of it lies beyond: by order
// statistics alone, so that neither shape nor spread nor a second group in either sample matters. Both answer
// one test: the quantile q of b is less than `bound` above that of a where less than 1 - q of b lies more
// than `bound` above that of a.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace assay::core {

/// Share of the error of a bound that is the upper sample's, whose outermost values are few.
inline constexpr double share_of_outermost = 0.8;

/// `wanted`, or the highest quantile that the largest of so few values bounds: where
/// q^values = share_of_outermost alpha (Wilks 1941).
double bounded_quantile(std::size_t values, double wanted, double alpha = 0.05);

struct QuantileShift {
  double quantile = 0;                         // q
  double shift = 0, upper = 0;                 // of b against a, in the unit of the values
  std::optional<double> lower = std::nullopt;  // none where a is too small
};

/// The difference of the sample quantiles; each bound is wrong with a probability of at most `alpha`. `a`,
/// `b`: sorted, at least 6 values each. `q`: at most bounded_quantile() of b.
QuantileShift quantile_shift(std::span<const double> a, std::span<const double> b, double q,
                             double alpha = 0.05);

struct ShareBeyond {
  std::int64_t count = 0;
  double lower = 0, upper = 1;
};

/// How many of b lie more than `bound` above the sample quantile of a, and the share of its population that
/// lies so far above the true one (Clopper and Pearson 1934); arguments as above.
ShareBeyond share_beyond(std::span<const double> a, std::span<const double> b, double q, double bound,
                         double alpha = 0.05);

/// Probability at most, were the quantile of b `bound` or less above that of a, of values as far above.
double probability_quantile_not_above(std::span<const double> a, std::span<const double> b, double q,
                                      double bound);

}  // namespace assay::core
