// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/core/names.hpp"
#include "results/points/point_outline.hpp"

namespace assay::results {
namespace {

/// Imported figures are rounded, to three digits at least.
constexpr double slack = 0.01;
/// The peak of a host is measured too, and may have been disturbed.
constexpr double most_of_peak = 1.5;

/// Nothing for a metric that does not follow from them.
std::optional<double> expected_of(std::string_view metric, const TimedWork& work) {
  if (metric == core::names::bandwidth_gb_per_s && work.bytes > 0) return work.bytes / work.time_s * 1e-9;
  if (metric == core::names::tflops && work.flops > 0) return work.flops / work.time_s * 1e-12;
  if (metric == core::names::latency_ns) return work.time_s * 1e9;
  if (metric == core::names::latency_us || metric == core::names::time_us) return work.time_s * 1e6;
  return std::nullopt;
}

/// A value of a flat object: after a colon, before a comma or the end.
bool has_value(std::string_view object, std::string_view value) {
  for (std::size_t at = object.find(value); at != std::string_view::npos; at = object.find(value, at + 1)) {
    std::size_t begin = at, end = at + value.size();
    if (begin > 0 && object[begin - 1] == '"' && end < object.size() && object[end] == '"') --begin, ++end;
    if (begin > 0 && object[begin - 1] == ':' && (end == object.size() || object[end] == ',')) return true;
  }
  return false;
}

}  // namespace

std::string metric_contradiction(std::string_view metric, std::string_view unit, double value,
                                 const TimedWork& work) {
  const auto expected = expected_of(metric, work);
  if (!expected || !(work.time_s > 0) || std::abs(value - *expected) <= slack * *expected) return {};
  return fmt::format("{} is {:g} {}, and its time says {:.6g} {}", metric, value, unit, *expected, unit);
}

std::string unit_contradiction(std::string_view axes, std::string_view units) {
  while (!units.empty()) {
    const std::string_view unit = units.substr(0, std::min(units.find('}'), units.size()));
    const std::string_view id = field_in(unit, "id");
    if (!has_value(axes, id))
      return fmt::format("its record says {} {}, and its axes do not", field_in(unit, "kind"), id);
    units.remove_prefix(std::min(unit.size() + 1, units.size()));
  }
  return {};
}

std::string peak_contradiction(std::string_view metrics) {
  const std::size_t at = metrics.find(R"({"name":"efficiency",)");
  if (at == std::string_view::npos) return {};
  const std::string_view value = field_in(metrics.substr(at), "value");
  double efficiency = 0;
  std::from_chars(value.data(), value.data() + value.size(), efficiency);
  return efficiency > most_of_peak ? fmt::format("efficiency is {:g}, of a peak that is 1", efficiency)
                                   : std::string();
}

}  // namespace assay::results
