// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/comparison_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/core/statistics/equivalence.hpp"
#include "harness/core/statistics/order_statistic.hpp"

namespace assay::results::synthetic {
namespace {

constexpr int samples_of_a_repetition = 50;

double draw_normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }
double draw_uniform(std::mt19937_64& random) { return std::uniform_real_distribution<double>()(random); }

/// Student's t with 3 degrees of freedom has a variance of 3.
double draw_student_t3(std::mt19937_64& random) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(draw_normal(random), 2);
  return draw_normal(random) / std::sqrt(squares);
}

/// Student's t with 2 degrees of freedom has none.
double draw_student_t2(std::mt19937_64& random) {
  return draw_normal(random) /
         std::sqrt((std::pow(draw_normal(random), 2) + std::pow(draw_normal(random), 2)) / 2);
}

/// A lognormal of sigma 1/2: a skewness of 1.75.
double draw_skewed(std::mt19937_64& random) {
  constexpr double sigma = 0.5;
  const double grown = std::exp(sigma * sigma);
  return (std::exp(sigma * draw_normal(random)) - std::sqrt(grown)) / std::sqrt((grown - 1) * grown);
}

double draw_rare_outlier(std::mt19937_64& random) {
  constexpr double often = 0.1;  // 0.3 and 3 above the rest
  const bool out = draw_uniform(random) < often;
  return ((out ? 1 - often : -often)) / std::sqrt(often * (1 - often)) * 0.9 + 0.436 * draw_normal(random);
}

/// AR(1) around 0 with unit variance.
class Correlated {
 public:
  Correlated(double correlation, NoiseShape shape) : correlation_(correlation), shape_(shape) {}
  double next(std::mt19937_64& random) {
    const double fresh = draw_noise(shape_, random);
    state_ = started_ ? correlation_ * state_ + std::sqrt(1 - correlation_ * correlation_) * fresh : fresh;
    started_ = true;
    return state_;
  }

 private:
  double correlation_, state_ = 0;
  NoiseShape shape_;
  bool started_ = false;
};

double median_of_samples(const ComparisonNoise& noise, std::mt19937_64& random) {
  Correlated series(noise.sample_correlation, noise.repetition_shape);
  std::array<double, samples_of_a_repetition> samples{};
  for (double& sample : samples) sample = series.next(random);
  return core::at_rank(samples, samples.size() / 2);
}

ComparisonNoise run_effect(const std::string& kind, NoiseShape shape, double baseline_share = 1) {
  return {.name = "run effect 1 %, " + kind,
          .repetition_spread = 0.003,
          .run_spread = 0.01,
          .run_shape = shape,
          .baseline_share = baseline_share};
}

}  // namespace

double draw_noise(NoiseShape shape, std::mt19937_64& random) {
  switch (shape) {
    case NoiseShape::normal:
      return draw_normal(random);
    case NoiseShape::student_t3:
      return draw_student_t3(random);
    case NoiseShape::student_t2:
      return draw_student_t2(random);
    case NoiseShape::skewed:
      return draw_skewed(random);
    case NoiseShape::uniform:
      return (draw_uniform(random) - 0.5) * std::sqrt(12.0);
    case NoiseShape::two_states:
      return (draw_uniform(random) < 0.5 ? 0.999 : -0.999) + 0.045 * draw_normal(random);
    case NoiseShape::rare_outlier:
      return draw_rare_outlier(random);
  }
  return 0;
}

double draw_run(const ComparisonNoise& noise, double run_spread, std::mt19937_64& random) {
  Correlated series(noise.repetition_correlation, noise.repetition_shape);
  double sum = 0;
  for (int repetition = 0; repetition < noise.repetitions; ++repetition)
    sum += noise.repetition_spread *
           (noise.sample_correlation > 0 ? median_of_samples(noise, random) : series.next(random));
  return sum / noise.repetitions + (run_spread > 0 ? run_spread * draw_noise(noise.run_shape, random) : 0);
}

std::vector<double> share_equivalent(const ComparisonNoise& noise, std::int64_t runs, double margin,
                                     std::span<const double> ratios, int trials, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto count = static_cast<std::size_t>(runs);
  std::vector<double> a(count), b(count), shifted(count), shares(ratios.size(), 0.0);
  for (int trial = 0; trial < trials; ++trial) {
    for (double& run : a) run = draw_run(noise, noise.baseline_share * noise.run_spread, random);
    for (double& run : b) run = draw_run(noise, noise.run_spread, random);
    for (std::size_t at = 0; at < ratios.size(); ++at) {
      std::ranges::transform(b, shifted.begin(), [&](double run) { return run + std::log(ratios[at]); });
      const auto result = core::judge_equivalence(a, shifted, margin);
      if (result.verdict == core::Equivalence::equivalent) shares[at] += 1.0 / trials;
    }
  }
  return shares;
}

std::vector<ComparisonNoise> comparison_noises() {
  using enum NoiseShape;
  return {
      {.name = "normal, CV 1 %"},
      {.name = "normal, CV 2 %, 5 repetitions", .repetitions = 5, .repetition_spread = 0.02},
      {.name = "normal, CV 2 %", .repetition_spread = 0.02},
      {.name = "normal, CV 2 %, 20 repetitions", .repetitions = 20, .repetition_spread = 0.02},
      {.name = "t(3), 1.5 %", .repetition_spread = 0.015, .repetition_shape = student_t3},
      {.name = "skewed, 1.5 %", .repetition_spread = 0.015, .repetition_shape = skewed},
      {.name = "AR(0.9) samples within repetitions", .repetition_spread = 0.05, .sample_correlation = 0.9},
      {.name = "repetitions AR(0.5), CV 2 %", .repetition_spread = 0.02, .repetition_correlation = 0.5},
      {.name = "repetitions AR(0.9), CV 2 %", .repetition_spread = 0.02, .repetition_correlation = 0.9},
      {.name = "run effect 0.5 %, CV 1 %", .run_spread = 0.005},
      {.name = "run effect 2 %, CV 0.3 %", .repetition_spread = 0.003, .run_spread = 0.02},
      run_effect("t(3)", student_t3),
      run_effect("skewed", skewed),
      run_effect("uniform", uniform),
      run_effect("two states", two_states),
      run_effect("one run in ten far off", rare_outlier),
      run_effect("of the candidate alone", normal, 0),
      run_effect("a quarter of it in the baseline", normal, 0.25),
  };
}

}  // namespace assay::results::synthetic
