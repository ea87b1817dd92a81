// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/parse_limits.hpp"
#include "harness/core/units.hpp"

namespace assay::core {
namespace {

std::int64_t parse_integer(const Axis& axis, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    usage_error(
        fmt::format("axis '{}': '{}' is not a whole number (expected one like 8, or a range like 1:64:x2)",
                    axis.name, text));
  return value;
}

std::int64_t parse_number(const Axis& axis, std::string_view text) {
  if (axis.domain == Domain::integers) return parse_integer(axis, text);
  try {
    return parse_bytes(text);
  } catch (const Error& error) {
    usage_error(fmt::format("axis '{}': {}", axis.name, error.what()));
  }
}

/// As a real number: 64 bits do not hold the length of every range.
double range_length(std::int64_t start, std::int64_t end, std::int64_t step, bool multiply) {
  if (multiply) return 64;  // at most: each value is at least twice the one before
  return std::floor((static_cast<double>(end) - static_cast<double>(start)) / static_cast<double>(step)) + 1;
}

void refuse_long_range(const Axis& axis, std::string_view text, double values) {
  if (values <= static_cast<double>(ParseLimits::points)) return;
  usage_error(fmt::format("axis '{}': range '{}' has {:.3g} values (expected at most {})", axis.name, text,
                          values, ParseLimits::points));
}

/// start:end:step or start:end:xfactor, ends included.
std::vector<Value> parse_range(const Axis& axis, std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  if (second == std::string_view::npos)
    usage_error(fmt::format("axis '{}': '{}' is not a range (expected start:end:step or start:end:xfactor)",
                            axis.name, text));
  const std::int64_t start = parse_number(axis, text.substr(0, first));
  const std::int64_t end = parse_number(axis, text.substr(first + 1, second - first - 1));
  std::string_view step_text = text.substr(second + 1);
  const bool multiply = step_text.starts_with('x');
  if (multiply) step_text.remove_prefix(1);
  const std::int64_t step = multiply ? parse_integer(axis, step_text) : parse_number(axis, step_text);
  if (step < (multiply ? 2 : 1) || (multiply && start < 1))
    usage_error(
        fmt::format("axis '{}': range '{}' never ends (expected a step of at least 1, or a factor of at "
                    "least x2 from a start of at least 1)",
                    axis.name, text));
  refuse_long_range(axis, text, range_length(start, end, step, multiply));
  std::vector<Value> values;
  for (std::int64_t value = start; value <= end;) {
    values.emplace_back(value);
    if (__builtin_mul_overflow(value, multiply ? step : 1, &value)) break;
    if (!multiply && __builtin_add_overflow(value, step, &value)) break;
  }
  if (values.empty())
    usage_error(fmt::format("axis '{}': range '{}' is empty (its end is below its start)", axis.name, text));
  return values;
}

Value parse_word(const Axis& axis, std::string_view text) {
  if (!axis.choices.empty() && std::ranges::find(axis.choices, text) == axis.choices.end())
    usage_error(
        fmt::format("axis '{}': '{}' is not one of: {}", axis.name, text, fmt::join(axis.choices, " ")));
  return std::string(text);
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::vector<Value> parse_values(const Axis& axis, std::string_view text) {
  for (const auto& [word, value] : axis.aliases)
    if (word == text) return {value};
  if (axis.domain == Domain::words) return {parse_word(axis, text)};
  if (text.find(':') != std::string_view::npos) return parse_range(axis, text);
  return {parse_number(axis, text)};
}

Point& Point::set(std::string_view name, Value value) {
  for (auto& [known, old] : coordinates_)
    if (known == name) {
      old = std::move(value);
      return *this;
    }
  coordinates_.emplace_back(std::string(name), std::move(value));
  return *this;
}

bool Point::has(std::string_view name) const {
  return std::ranges::any_of(coordinates_, [&](const auto& coordinate) { return coordinate.first == name; });
}

std::int64_t Point::integer(std::string_view name) const {
  for (const auto& [known, value] : coordinates_)
    if (known == name && std::holds_alternative<std::int64_t>(value)) return std::get<std::int64_t>(value);
  usage_error(fmt::format("point '{}' has no number '{}'", key(), name));
}

const std::string& Point::text(std::string_view name) const {
  for (const auto& [known, value] : coordinates_)
    if (known == name && std::holds_alternative<std::string>(value)) return std::get<std::string>(value);
  usage_error(fmt::format("point '{}' has no word '{}'", key(), name));
}

std::string Point::key() const {
  std::string key;
  for (const auto& [name, value] : coordinates_) {
    if (!key.empty()) key += ',';
    key += name + '=' + to_text(value);
  }
  return key;
}

double points_in_sweep(const std::vector<Axis>& axes) {
  double points = 1;
  for (const Axis& axis : axes) points *= static_cast<double>(axis.values.size());
  return points;
}

std::vector<Point> sweep(const std::vector<Axis>& axes) {
  if (const double points = points_in_sweep(axes); points > static_cast<double>(ParseLimits::points))
    usage_error(
        fmt::format("the sweep has {:.3g} points (expected at most {})", points, ParseLimits::points));
  std::vector<Point> points{Point{}};
  for (const Axis& axis : axes) {
    if (axis.values.empty())
      usage_error(fmt::format("axis '{}' has no value: the sweep is empty", axis.name));
    std::vector<Point> longer;
    longer.reserve(points.size() * axis.values.size());
    for (const Point& point : points)
      for (const Value& value : axis.values) longer.push_back(Point(point).set(axis.name, value));
    points = std::move(longer);
  }
  return points;
}

}  // namespace assay::core
