// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether two things are equally good within a margin: two one-sided tests (TOST; Schuirmann 1987) on paired
// logarithms of ratios. "No difference was found" is never an answer: without enough pairs none is given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace assay::core {

enum class Equivalence {
  equivalent,       // the interval lies within the margin
  higher,           // the interval lies beyond it
  lower,            // beyond it on the other side
  not_enough_data,  // the interval crosses the margin, or there is none
};

struct EquivalenceResult {
  Equivalence verdict = Equivalence::not_enough_data;
  std::int64_t pairs = 0;
  double ratio = 1;  // the geometric mean
  std::optional<double> lower = {},
                        upper = {};  // of the ratio, at confidence 1 - 2 alpha; none below two pairs
  /// The smallest margin at which these pairs would be equivalent.
  std::optional<double> smallest_margin = {};
};

inline constexpr std::int64_t most_planned_pairs = 10'000;

/// `log_ratios`: ln(b / a) of each pair, independent of one another. Equivalent where the ratio is within
/// 1 / (1 + margin) and 1 + margin; wrongly so with a probability of at most `alpha`.
EquivalenceResult judge_equivalence(std::span<const double> log_ratios, double margin, double alpha = 0.05);

/// How many pairs would be called equivalent with a probability of 80 %, were ratio and scatter those of
/// these (two at least). None where no number helps, or more than most_planned_pairs.
std::optional<std::int64_t> pairs_needed(std::span<const double> log_ratios, double margin,
                                         double alpha = 0.05);

/// The probability that judge_equivalence() says equivalent of n pairs whose log ratios are normal around
/// `mean` with standard deviation `deviation` (> 0): the probability that |sample mean| + t s / sqrt(n) stays
/// below ln(1 + margin), integrated over the chi distribution of the sample deviation s.
double equivalence_power(std::int64_t n, double mean, double deviation, double margin, double alpha = 0.05);

}  // namespace assay::core
