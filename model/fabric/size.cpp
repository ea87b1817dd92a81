// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/size.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

/// Of an even number, the mean of the two in the middle.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t upper = values.size() / 2;
  return values.size() % 2 == 1 ? values[upper] : (values[upper - 1] + values[upper]) / 2;
}

void check(std::span<const double> values, double at_most_us, std::uint32_t seeds) {
  if (values.empty()) refuse("a size needs at least one value to try");
  if (std::ranges::adjacent_find(values, std::greater_equal()) != values.end())
    refuse("the values of a size must rise");
  if (!(at_most_us > 0)) refuse("a step must be given more than 0 us, got " + std::to_string(at_most_us));
  if (seeds == 0) refuse("seeds must be at least 1, got 0");
}

}  // namespace

SizeAnswer least_that_reaches(std::span<const double> values, double at_most_us, std::uint32_t seeds,
                              const StepOf& step_us) {
  check(values, at_most_us, seeds);
  SizeAnswer answer;
  for (const double value : values) {
    std::vector<double> times_us;
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) times_us.push_back(step_us(value, seed));
    answer.tried.push_back({value, median(std::move(times_us))});
    if (answer.tried.back().step_us > at_most_us) continue;
    answer.least = value;
    break;
  }
  answer.fastest_us = std::ranges::min(answer.tried, {}, &SizeTried::step_us).step_us;
  return answer;
}

std::vector<double> powers_of_two(double most) {
  std::vector<double> values;
  for (double value = 1; value <= most; value *= 2) values.push_back(value);
  return values;
}

}  // namespace assay::model::fabric
