// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Intervals of the coefficients of GEMM time hold the values that the times were made of, in 95 of 100 fits:
// shapes have an error of their own, and so has each of their three repetitions.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "model/fit/laws/gemm_core.hpp"
#include "model/fit/regression/relative_fit.hpp"

namespace assay::model::fit {
namespace {

using Noise = std::function<double(std::mt19937_64&)>;
constexpr GemmDevice h100_bf16{132, 2, 2};
constexpr int repetitions = 3;

struct Known {
  GemmFormula formula;
  std::vector<double> coefficients, start;
};

class Measured {
 public:
  Measured(const Known& known, const Noise& noise, std::mt19937_64& random) {
    for (double m = 16; m <= 8192; m *= 4)
      for (double n = 256; n <= 16384; n *= 4)
        for (double k = 256; k <= 16384; k *= 4) add({m, n, k}, known, noise, random);
    problem.time_us = [this, formula = known.formula](std::size_t i, std::span<const double> c) {
      return gemm_core_us(formula, shapes_[i], h100_bf16, c);
    };
  }
  Measured(const Measured&) = delete;

  RelativeProblem problem;

 private:
  void add(const GemmShape& shape, const Known& known, const Noise& noise, std::mt19937_64& random) {
    const double of_shape = 0.5 * noise(random);
    const std::size_t cluster = shapes_.size();
    for (int i = 0; i < repetitions; ++i) {
      shapes_.push_back(shape);
      problem.cluster.push_back(cluster);
      problem.measured_us.push_back(gemm_core_us(known.formula, shape, h100_bf16, known.coefficients) *
                                    std::exp(of_shape + noise(random)));
    }
  }
  std::vector<GemmShape> shapes_;
};

/// How many of `runs` fits hold each coefficient.
std::vector<int> held(const Known& known, int runs, const Noise& noise) {
  std::mt19937_64 random(20261126);
  std::vector<int> held(known.coefficients.size());
  for (int run = 0; run < runs; ++run) {
    const Measured measured(known, noise, random);
    const auto found = with_intervals(measured.problem, fit_relative(measured.problem, known.start),
                                      coefficient_names(known.formula), static_cast<std::uint64_t>(run));
    for (std::size_t i = 0; i < found.size(); ++i)
      held[i] += found[i].lower <= known.coefficients[i] && known.coefficients[i] <= found[i].upper;
  }
  return held;
}

// 95 % less three standard errors of a binomial count.
TEST(GemmCoefficients, AreWithinTheirIntervals95TimesOf100) {
  constexpr int runs = 300;
  const double asked = 0.95 * runs - 3 * std::sqrt(0.95 * 0.05 * runs);
  std::normal_distribution<double> gauss(0, 0.01);
  std::student_t_distribution<double> heavy(3);
  const Noise even = [&](std::mt19937_64& random) { return gauss(random); },
              tails = [&](std::mt19937_64& random) { return 0.005 * heavy(random); };
  for (const Known& known : {Known{GemmFormula::roofline, {3, 700, 2500}, {1, 500, 1000}},
                             Known{GemmFormula::waves, {3, 700, 2500, 20000}, {1, 500, 1000, 10000}}})
    for (const Noise& noise : {even, tails}) {
      const std::vector<int> counts = held(known, runs, noise);
      for (std::size_t i = 0; i < counts.size(); ++i)
        EXPECT_GE(counts[i], asked) << to_string(known.formula) << ' ' << coefficient_names(known.formula)[i];
    }
}

}  // namespace
}  // namespace assay::model::fit
