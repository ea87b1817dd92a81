// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/sort_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace assay::results {
namespace {

void expect_sorted(std::vector<double> values) {
  std::vector<double> expected = values;
  std::ranges::sort(expected);
  sort_numbers(values);
  EXPECT_EQ(values, expected);
}

TEST(SortNumbers, OrdersWhateverBitsNumbersHave) {
  std::mt19937_64 random(11);
  for (const std::size_t size : {0U, 1U, 7U, 1023U, 1024U, 5000U}) {
    std::vector<double> values;
    while (values.size() < size)
      if (const auto value = std::bit_cast<double>(random()); !std::isnan(value)) values.push_back(value);
    if (size > 8) {
      values[1] = std::numeric_limits<double>::infinity(), values[3] = -values[1];
      values[5] = std::numeric_limits<double>::denorm_min(), values[7] = -values[5];
    }
    expect_sorted(std::move(values));
  }
}

TEST(SortNumbers, OrdersNumbersCloseTogetherAndEqualOnes) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> noise(0, 1e-3);
  std::vector<double> values, rounded;
  for (int i = 0; i < 30000; ++i) {
    values.push_back(noise(random));
    rounded.push_back(std::round(values.back() * 1000));
  }
  expect_sorted(std::move(values));
  expect_sorted(std::move(rounded));
  expect_sorted(std::vector<double>(2000, -3.25));
}

}  // namespace
}  // namespace assay::results
