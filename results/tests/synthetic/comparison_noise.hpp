// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic comparisons: runs whose repetitions share more than chance gives them, at a known true ratio, and
// how often they are called equivalent.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace assay::results::synthetic {

enum class NoiseShape { normal, student_t3, student_t2, skewed, uniform, two_states, rare_outlier };

/// The noise of ln(time), as shares: 0.01 is a standard deviation of 1 %.
struct ComparisonNoise {
  std::string name;
  int repetitions = 10;
  double repetition_spread = 0.01;
  NoiseShape repetition_shape = NoiseShape::normal;
  double repetition_correlation = 0;  // of one repetition with the next: AR(1)
  double sample_correlation = 0;      // above 0: a repetition is the median of 50 samples, correlated so
  double run_spread = 0;
  NoiseShape run_shape = NoiseShape::normal;
  double baseline_share = 1;  // of the run spread that the baseline has: 0, the candidate alone has any
};

/// Those of the table in docs/evidence/judges.md, those that repeat within a run first.
std::vector<ComparisonNoise> comparison_noises();

/// Mean 0, standard deviation 1; that of Student's t with 2 degrees of freedom, which has none, is as it
/// comes.
double draw_noise(NoiseShape shape, std::mt19937_64& random);
/// The mean of ln(time) over the repetitions of one run.
double draw_run(const ComparisonNoise& noise, double run_spread, std::mt19937_64& random);

/// For each true ratio (1: equal), the share of `trials` comparisons of `runs` runs on each side that are
/// called equivalent at `margin`.
std::vector<double> share_equivalent(const ComparisonNoise& noise, std::int64_t runs, double margin,
                                     std::span<const double> ratios, int trials, std::uint64_t seed);

}  // namespace assay::results::synthetic
