// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of one metric that no measurement gives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

/// Values that nothing built today reaches, a fleet of thousands of nodes included.
constexpr std::pair<std::string_view, double> beyond_belief[] = {
    {"GB/s", 1e8}, {"GiB/s", 1e8}, {"Gb/s", 1e9}, {"TFLOP/s", 1e8}, {"M/s", 1e8}};
constexpr double rounding_error = 1e-9;  // relative

/// A quantity that is never below zero: a rate, a time, a size, an amount of work.
bool is_amount(const std::string& metric, const std::string& unit) {
  if (unit.ends_with("/s") || unit == "FLOP") return true;
  constexpr std::array<std::string_view, 8> amounts{"s", "ms", "us", "ns", "B", "KiB", "MiB", "GiB"};
  if (std::ranges::find(amounts, unit) != amounts.end())
    return metric.find("difference") == std::string::npos && metric.find("offset") == std::string::npos;
  return false;
}

bool upside_down(const std::optional<double>& lower, const std::optional<double>& upper) {
  return lower && upper && *lower > *upper + rounding_error * std::abs(*upper);
}

}  // namespace

std::optional<PointDoubt> doubt_about_value(const std::string& metric, const std::string& unit,
                                            const Number& value) {
  if (std::isnan(value.value)) return PointDoubt{fmt::format("{} is not a number", metric)};
  if ((value.value < 0 || value.lower.value_or(0) < 0) && is_amount(metric, unit))
    return PointDoubt{fmt::format("{} is {:g} {}, which is impossible", metric,
                                  std::min(value.value, value.lower.value_or(value.value)), unit)};
  for (const auto& [of_unit, most] : beyond_belief)
    if (value.value > most && unit == of_unit)
      return PointDoubt{fmt::format("{} is {:g} {}, which is impossible", metric, value.value, unit)};
  if (std::isinf(value.value)) return PointDoubt{fmt::format("{} is infinite", metric)};
  if (value.value == 0 && metric.find("latency") != std::string::npos)
    return PointDoubt{fmt::format("{} is 0 {}, which is impossible", metric, unit)};
  if (upside_down(value.lower, value.upper))
    return PointDoubt{fmt::format("the interval of {} is upside down: {:g} to {:g} {}", metric, *value.lower,
                                  *value.upper, unit)};
  if (upside_down(value.lower, value.value) || upside_down(value.value, value.upper))
    return PointDoubt{fmt::format("{} is {:g} {}, outside its interval, {:g} to {:g}", metric, value.value,
                                  unit, value.lower.value_or(value.value),
                                  value.upper.value_or(value.value))};
  return std::nullopt;
}

}  // namespace assay::results
