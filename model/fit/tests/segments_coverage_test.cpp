// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Intervals of pieces hold a known truth as often as they say: lines and broken lines with noise of 3 %, of
// which a tenth may be late by 15 % on average.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/fit/regression/segments.hpp"

namespace assay::model::fit {
namespace {

constexpr double cut_bytes = 1 << 18;

struct Plan {
  const char* name;
  int pieces, from, to, repetitions;
  double late;  // share of rows
};

struct TrueLine {
  double latency_us, us_per_byte;
};

/// Lines below and from cut_bytes on.
struct Truth {
  TrueLine small, large;
  const TrueLine& at(double bytes) const { return bytes < cut_bytes ? small : large; }
};

Truth random_truth(const Plan& plan, std::mt19937_64& random) {
  std::uniform_real_distribution<> any;
  const TrueLine one{5 * std::exp(2 * any(random)), 1e-3 / (20 * std::exp(3 * any(random)))};
  if (plan.pieces == 1) return {one, one};
  return {one, {2.5 * one.latency_us + 0.6 * one.us_per_byte * cut_bytes, 0.5 * one.us_per_byte}};
}

std::vector<TimedSize> rows_of(const Plan& plan, const Truth& truth, std::mt19937_64& random) {
  std::normal_distribution<> noise(0, 0.03);
  std::exponential_distribution<> lateness(1 / 0.15);
  std::uniform_real_distribution<> any;
  std::vector<TimedSize> rows;
  for (int power = plan.from; power < plan.to; ++power)
    for (int repetition = 0; repetition < plan.repetitions; ++repetition) {
      const double bytes = std::ldexp(1.0, power);
      const TrueLine& line = truth.at(bytes);
      const double factor = 1 + noise(random) + (any(random) < plan.late ? lateness(random) : 0);
      rows.push_back({bytes, (line.latency_us + line.us_per_byte * bytes) * factor});
    }
  return rows;
}

struct Held {
  int intervals = 0, held = 0;
  void add(const Coefficient& coefficient, double truth) {
    if (!coefficient.supported) return;
    ++intervals;
    held += coefficient.lower <= truth && truth <= coefficient.upper;
  }
  double share() const { return static_cast<double>(held) / intervals; }
};

class Coverage : public testing::TestWithParam<Plan> {};

TEST_P(Coverage, IsWhatTheIntervalsSay) {
  constexpr int lines = 1000;
  const Plan& plan = GetParam();
  std::mt19937_64 random(5);
  Held latency, bandwidth;
  int broken = 0;
  for (int line = 0; line < lines; ++line) {
    const Truth truth = random_truth(plan, random);
    const std::vector<TimedSize> rows = rows_of(plan, truth, random);
    std::vector<Segment> segments = fit_segments(rows);
    add_intervals(segments, rows);
    broken += static_cast<int>(segments.size()) > plan.pieces;
    for (const Segment& segment : segments) {
      if (plan.pieces == 2 && segment.from_bytes < cut_bytes && segment.to_bytes >= cut_bytes) continue;
      latency.add(segment.latency, truth.at(segment.from_bytes).latency_us);
      bandwidth.add(segment.bandwidth, 1e-3 / truth.at(segment.from_bytes).us_per_byte);
    }
  }
  EXPECT_NEAR(latency.share(), 0.95, 0.02) << "of " << latency.intervals;
  EXPECT_NEAR(bandwidth.share(), 0.95, 0.02) << "of " << bandwidth.intervals;
  EXPECT_LE(broken, lines / 50) << "needless pieces";
}

INSTANTIATE_TEST_SUITE_P(Of, Coverage,
                         testing::Values(Plan{"line", 1, 3, 28, 1, 0}, Plan{"late_line", 1, 3, 28, 1, 0.1},
                                         Plan{"few", 1, 3, 23, 1, 0}, Plan{"late_few", 1, 3, 23, 1, 0.1},
                                         Plan{"repeated", 1, 3, 23, 3, 0},
                                         Plan{"late_repeated", 1, 3, 23, 3, 0.1}, Plan{"two", 2, 3, 28, 1, 0},
                                         Plan{"late_two", 2, 3, 28, 1, 0.1},
                                         Plan{"two_repeated", 2, 3, 23, 3, 0},
                                         Plan{"late_two_repeated", 2, 3, 23, 3, 0.1}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace assay::model::fit
