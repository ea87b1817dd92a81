// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/size.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

void check(std::span<const double> values, double at_most_us) {
  if (values.empty()) refuse("a size needs at least one value to try");
  if (std::ranges::adjacent_find(values, std::greater_equal()) != values.end())
    refuse("the values of a size must rise");
  if (!(at_most_us > 0)) refuse("a step must be given more than 0 us, got " + std::to_string(at_most_us));
}

}  // namespace

SizeAnswer least_that_reaches(std::span<const double> values, double at_most_us, const StepOf& step_us) {
  check(values, at_most_us);
  SizeAnswer answer;
  for (const double value : values) {
    answer.tried.push_back({value, step_us(value)});
    if (answer.tried.back().step_us > at_most_us) continue;
    answer.least = value;
    break;
  }
  answer.fastest_us = std::ranges::min(answer.tried, {}, &SizeTried::step_us).step_us;
  return answer;
}

void refine(SizeAnswer& answer, Finer finer, double at_most_us, const StepOf& step_us) {
  if (!answer.least || answer.tried.size() < 2 || finer == Finer::none) return;
  double below = answer.tried[answer.tried.size() - 2].value;
  while (*answer.least - below > 1) {
    const double value = finer == Finer::each ? below + 1 : std::floor((below + *answer.least) / 2);
    answer.tried.push_back({value, step_us(value)});
    if (answer.tried.back().step_us > at_most_us) {
      below = value;
      continue;
    }
    answer.least = value;
    if (finer == Finer::each) break;
  }
  answer.fastest_us = std::ranges::min(answer.tried, {}, &SizeTried::step_us).step_us;
}

std::vector<double> powers_of_two(double most) {
  std::vector<double> values;
  for (double value = 1; value <= most; value *= 2) values.push_back(value);
  return values;
}

}  // namespace assay::model::fabric
