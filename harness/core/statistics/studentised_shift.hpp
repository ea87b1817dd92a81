// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far one sample is shifted against another, where neither shape nor spread nor size is shared: the
// studentised rank statistic of Brunner and Munzel (Biometrical Journal 42, 2000), inverted. The shift is the
// median of all differences of a value of b and one of a (Hodges and Lehmann 1963).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace assay::core {

/// The fewest values of either sample. With fewer, tails and skew make the interval wrong in more than 5 % of
/// cases.
inline constexpr std::int64_t fewest_shift_values = 6;

/// A sample counts with no more than this many times the values of the other: of a larger one, its quantiles.
/// Ranks among few values have a variance that is estimated too large, which makes up for a few skewed values
/// of the other sample; ranks among many do not, and up to 9 % of bounds would be wrong. The price is a
/// standard error 9 % wider at most, were both samples of one spread.
inline constexpr std::size_t most_shift_times = 5;
std::size_t counted_shift_values(std::size_t own, std::size_t others);

struct StudentisedShift {
  double shift = 0, lower = 0, upper = 0;
  double error = 0;    // standard, of the shift: half of the interval over the quantile of Student's t
  double degrees = 0;  // of freedom of that t: those of the smaller sample
};

/// The shift of b against a; each bound is wrong with a probability of about `alpha`. None below
/// fewest_shift_values.
std::optional<StudentisedShift> studentised_shift(std::span<const double> a, std::span<const double> b,
                                                  double alpha = 0.05);

/// Probability, were the shift `bound` or less, of ranks that lie as far above it. 1 below
/// fewest_shift_values.
double probability_not_above(std::span<const double> a, std::span<const double> b, double bound);

}  // namespace assay::core
