// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Data made from known coefficients give them back.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "model/fit/laws/gemm_core.hpp"
#include "model/fit/laws/gemm_fit.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/boosted_trees.hpp"
#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/regression/segments.hpp"
#include "model/fit/regression/size_surface.hpp"
#include "model/fit/regression/symmetric_matrix.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {
namespace {

using testing::SizeIs;

constexpr GemmDevice bf16{132, 2, 2};

/// Times of a roofline with a launch of 3 us, 700 TFLOP/s and 2,500 GB/s, alternately 1 % too long and too
/// short.
struct Roofline {
  std::vector<GemmShape> shapes;
  RelativeProblem problem;

  explicit Roofline(double largest) {
    const double known[] = {3, 700, 2500};
    for (double m = 16; m <= largest; m *= 2)
      for (double n = 64; n <= largest; n *= 2)
        for (double k = 64; k <= largest; k *= 2) {
          const double noise = shapes.size() % 2 == 0 ? 1.01 : 0.99;
          shapes.push_back({m, n, k});
          problem.measured_us.push_back(noise *
                                        gemm_core_us(GemmFormula::roofline, shapes.back(), bf16, known));
          problem.cluster.push_back(shapes.size() - 1);
        }
    problem.time_us = [this](std::size_t i, std::span<const double> c) {
      return gemm_core_us(GemmFormula::roofline, shapes[i], bf16, c);
    };
  }
};

TEST(RelativeFit, FindsTheRooflineItsDataCameFrom) {
  const Roofline made(16384);
  const auto fitted = fit_relative(made.problem, {1, 500, 1000});
  EXPECT_NEAR(fitted[0], 3, 0.03);
  EXPECT_NEAR(fitted[1], 700, 7);
  EXPECT_NEAR(fitted[2], 2500, 25);
  for (const auto& each : with_intervals(made.problem, fitted, coefficient_names(GemmFormula::roofline), 1)) {
    EXPECT_TRUE(each.supported) << each.name;
    EXPECT_LT(each.lower, each.upper) << each.name;
  }
}

TEST(RelativeFit, IsNotMovedByATenthOfOutliers) {
  Roofline made(16384);
  for (std::size_t i = 0; i < made.problem.measured_us.size(); i += 10) made.problem.measured_us[i] *= 3;
  const auto fitted = fit_relative(made.problem, {1, 500, 1000});
  EXPECT_NEAR(fitted[1], 700, 21);
  EXPECT_NEAR(fitted[2], 2500, 75);
}

TEST(RelativeFit, SaysThatSmallShapesDoNotDetermineThePeak) {
  const Roofline made(256);
  const auto fitted = fit_relative(made.problem, {1, 500, 1000});
  const auto coefficients = with_intervals(made.problem, fitted, coefficient_names(GemmFormula::roofline), 1);
  EXPECT_TRUE(coefficients[0].supported);
  EXPECT_FALSE(coefficients[1].supported);
}

// Rows beyond Huber's bound pull at a coefficient that no other row holds.
TEST(RelativeFit, HasFiniteBoundsWhereOnlyOutliersFeelACoefficient) {
  RelativeProblem problem;
  problem.time_us = [](std::size_t i, std::span<const double> c) { return c[0] + (i < 2 ? c[1] : 0); };
  for (std::size_t i = 0; i < 22; ++i) {
    problem.measured_us.push_back(i == 0 ? 20 : i == 1 ? 90 : i % 2 == 0 ? 10.1 : 9.9);
    problem.cluster.push_back(i);
  }
  const auto fitted = fit_relative(problem, {10, 30});
  const auto found = with_intervals(problem, fitted, {"a", "b"}, 1);
  EXPECT_TRUE(std::isfinite(found[1].lower) && std::isfinite(found[1].upper));
  EXPECT_FALSE(found[1].supported);
}

// Times without noise leave no residual that could tell two coefficients of one effect apart.
TEST(RelativeFit, SaysThatCoefficientsOfOneEffectAreNotDetermined) {
  RelativeProblem problem;
  problem.time_us = [](std::size_t i, std::span<const double> c) {
    return c[0] + static_cast<double>(i) * (c[1] + c[2]);
  };
  for (std::size_t i = 0; i < 20; ++i) {
    problem.measured_us.push_back(5 + 3 * static_cast<double>(i));
    problem.cluster.push_back(i);
  }
  const auto found = with_intervals(problem, {5, 1, 2}, {"a", "b", "c"}, 1);
  EXPECT_TRUE(found[0].supported);
  EXPECT_FALSE(found[1].supported);
  EXPECT_FALSE(found[2].supported);
}

/// Products of a kind of GPU, or of two: as many multiprocessors as `of` says for every row.
Timings<GemmRow> products_on(const std::function<std::string(int)>& of) {
  std::string csv = "m,n,k,dtype,multiprocessors,time_us\n";
  for (int row = 0; row < 16; ++row)
    csv += fmt::format("{},1024,1024,bf16,{},{}\n", 128 * (row + 1), of(row), 5 + row);
  return read_gemm_timings({"made", csv});
}

double multiprocessors_of_fit(const Timings<GemmRow>& timings, const GemmFitOptions& options) {
  return fit_gemm(timings, options).groups.at("bf16").model.device.multiprocessors;
}

TEST(Waves, AreOfTheGpuThatTheRowsName) {
  const auto b200 = products_on([](int row) { return row % 2 == 0 ? "148" : ""; });
  EXPECT_EQ(multiprocessors_of_fit(b200, {}), 148);
  EXPECT_EQ(multiprocessors_of_fit(b200, {.multiprocessors = 114}), 114);
  EXPECT_EQ(multiprocessors_of_fit(products_on([](int) { return ""; }), {}), 132);
}

TEST(Waves, AreRefusedForRowsOfTwoKindsOfGpu) {
  const auto mixed = products_on([](int row) { return row < 8 ? "132" : "114"; });
  try {
    fit_gemm(mixed, {});
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(),
                 "made:10: column 'multiprocessors': 114 where other rows have 132: expected one "
                 "kind of GPU, or --multiprocessors");
  }
}

TEST(Waves, CountWholeWavesOfTheBestTile) {
  // 132 tiles of 128 x 256 are one wave; one row more is a second wave of smaller tiles at best.
  const double coefficients[] = {1, 660, 1e6, 1e9};
  const GemmShape one_wave{128 * 12, 256 * 11, 4096}, more{128 * 12 + 1, 256 * 11, 4096};
  EXPECT_NEAR(gemm_core_us(GemmFormula::waves, one_wave, bf16, coefficients), 1 + one_wave.flop() / 660e6,
              1e-3);
  EXPECT_GT(gemm_core_us(GemmFormula::waves, more, bf16, coefficients),
            gemm_core_us(GemmFormula::waves, one_wave, bf16, coefficients) * 1.05);
}

std::vector<TimedSize> two_pieces() {
  std::vector<TimedSize> points;
  for (double size = 1024; size < 2e9; size *= 2)
    points.push_back({size, size < 1e6 ? 10 + size / 50e3 : 100 + size / 400e3});
  return points;
}

TEST(Segments, AreAsManyAsTheDataHave) {
  auto segments = fit_segments(two_pieces());
  add_intervals(segments, two_pieces());
  ASSERT_THAT(segments, SizeIs(2));
  EXPECT_NEAR(segments[0].latency.value, 10, 0.1);
  EXPECT_NEAR(segments[0].bandwidth.value, 50, 0.5);
  EXPECT_NEAR(segments[1].latency.value, 100, 1);
  EXPECT_NEAR(segments[1].bandwidth.value, 400, 4);
  EXPECT_EQ(segments[0].to_bytes, 524288);
  EXPECT_NEAR(segments_us(segments, 3e8), 100 + 3e8 / 400e3, 10);
}

TEST(Segments, AreNotSpentOnOneOutlier) {
  std::vector<TimedSize> points;
  for (double size = 1024; size < 2e9; size *= 2) points.push_back({size, 10 + size / 50e3});
  points[7].time_us *= 2.5;
  EXPECT_THAT(fit_segments(points), SizeIs(1));
}

TEST(Segments, WithoutSlopeDoNotSupportABandwidth) {
  std::vector<TimedSize> points;
  for (const double size : {8.0, 16.0, 32.0, 64.0}) points.push_back({size, 5});
  auto segments = fit_segments(points);
  add_intervals(segments, points);
  EXPECT_TRUE(segments[0].latency.supported);
  EXPECT_FALSE(segments[0].bandwidth.supported);
}

// Bounds are wide, and numbers, where outliers leave too few points to determine a spread.
TEST(Segments, HaveFiniteBoundsWhateverTheOutliers) {
  std::mt19937_64 random(20261126);
  std::cauchy_distribution<double> noise(0, 0.1);
  for (int run = 0; run < 2000; ++run) {
    std::vector<TimedSize> points;
    for (const double size : {65536, 131072, 262144})
      points.push_back({size, (5 + size / 50e3) * std::exp(std::clamp(noise(random), -3.0, 3.0))});
    auto segments = fit_segments(points);
    add_intervals(segments, points);
    for (const Coefficient& of : {segments[0].latency, segments[0].bandwidth})
      ASSERT_TRUE(std::isfinite(of.lower) && std::isfinite(of.upper)) << of.name << " in run " << run;
  }
}

/// How often intervals hold the 5 us and 50 GB/s that times were made of.
struct Held {
  int latency = 0, bandwidth = 0;
};

Held held_by_intervals(int sizes, int runs, const std::function<double(std::mt19937_64&)>& noise) {
  std::mt19937_64 random(20261126);
  Held held;
  for (int run = 0; run < runs; ++run) {
    std::vector<TimedSize> points;
    for (double size = 65536; points.size() < static_cast<std::size_t>(sizes); size *= 2)
      points.push_back({size, (5 + size / 50e3) * std::exp(noise(random))});
    auto segments = fit_segments(points, 1);
    add_intervals(segments, points);
    const auto holds = [](const Coefficient& of, double known) {
      return of.lower <= known && known <= of.upper;
    };
    held.latency += holds(segments[0].latency, 5);
    held.bandwidth += holds(segments[0].bandwidth, 50);
  }
  return held;
}

// 2,000 runs: 95 % less three standard errors is 93.5 %.
TEST(Segments, IntervalsHoldTheTruthHoweverFewTheRows) {
  constexpr int runs = 2000;
  std::normal_distribution<double> gauss(0, 0.01);
  std::student_t_distribution<double> heavy(3);
  for (const int sizes : {3, 4, 6, 10, 20}) {
    const Held even = held_by_intervals(sizes, runs, [&](std::mt19937_64& random) { return gauss(random); });
    const Held tails =
        held_by_intervals(sizes, runs, [&](std::mt19937_64& random) { return 0.005 * heavy(random); });
    EXPECT_GE(std::min(even.latency, even.bandwidth), 0.935 * runs) << sizes;
    EXPECT_GE(std::min(tails.latency, tails.bandwidth), 0.935 * runs) << sizes;
  }
}

TEST(SizeSurface, LendsShapeToADtypeThatLacksPoints) {
  std::vector<SurfacePoint> points;
  for (double x = 10; x <= 20; ++x) points.push_back({{x, "all_reduce,8", "fp16"}, x == 15 ? 0.5 : 0.0});
  points.push_back({{14, "all_reduce,8", "int8"}, 0});
  points.push_back({{16, "all_reduce,8", "int8"}, 0});
  const SizeSurface surface = SizeSurface::fit(points, {.common = 0, .length = 3, .noise = 0.01});
  EXPECT_NEAR(surface.predict({12, "all_reduce,8", "fp16"}), 0, 0.05);
  EXPECT_GT(surface.predict({15, "all_reduce,8", "int8"}), surface.predict({12, "all_reduce,8", "int8"}));
}

TEST(BoostedTrees, FollowAStep) {
  FeatureTable table{1, {}};
  std::vector<double> targets;
  for (int i = 0; i < 200; ++i) table.cells.push_back(i), targets.push_back(i < 120 ? 0.1 : 0.6);
  targets[50] = 9;  // an outlier
  const BoostedTrees trees = BoostedTrees::fit(table, targets, {.trees = 100});
  const double left[] = {100}, right[] = {121};
  EXPECT_NEAR(trees.predict(left), 0.1, 0.01);
  EXPECT_NEAR(trees.predict(right), 0.6, 0.01);
}

TEST(Cholesky, SolvesAndRefusesWhatIsNotPositive) {
  SymmetricMatrix matrix(2);
  matrix.at(0, 0) = 4, matrix.at(1, 0) = 2, matrix.at(1, 1) = 3;
  const Cholesky factor(matrix);
  const double right[] = {8, 7};
  EXPECT_THAT(factor.solve(right),
              testing::ElementsAre(testing::DoubleNear(1.25, 1e-12), testing::DoubleNear(1.5, 1e-12)));
  EXPECT_THAT(factor.inverse_diagonal(),
              testing::ElementsAre(testing::DoubleNear(0.375, 1e-12), testing::DoubleNear(0.5, 1e-12)));
  matrix.at(1, 1) = 0;
  EXPECT_THROW(Cholesky{matrix}, std::runtime_error);
}

TEST(Errors, GiveMapeP90AndBiasByDecade) {
  Errors errors;
  errors.add(50, 110, 100);
  errors.add(500, 80, 100);
  EXPECT_NEAR(errors.whole().mape_percent, 15, 1e-9);
  EXPECT_NEAR(errors.whole().p90_percent, 19, 1e-9);
  EXPECT_NEAR(errors.whole().bias_percent, -5, 1e-9);
  EXPECT_NEAR(errors.by_decade().at(2).bias_percent, -20, 1e-9);
}

}  // namespace
}  // namespace assay::model::fit
