// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/older_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "harness/core/names.hpp"

namespace assay::results {
namespace {

constexpr double shortest_window_s = 1;

/// Whether a condition is of this name, or of this name for one GPU of several: gpu3_power_w.
bool is_of_any_gpu(const std::string& condition, const std::string& name) {
  return condition == name || (condition.starts_with("gpu") && condition.ends_with("_" + name));
}

bool any_condition(const PointRecord& point, const std::string& name) {
  return std::ranges::any_of(point.conditions,
                             [&](const core::Fact& fact) { return is_of_any_gpu(fact.first, name); });
}

bool has_power(const PointRecord& point) {
  return std::ranges::any_of(point.metrics, is_power_metric, &Metric::name) ||
         any_condition(point, core::names::power_w);
}

std::optional<double> window_s(const PointRecord& point) {
  if (const auto said = number_in(point.conditions, core::names::telemetry_window_s)) return said;
  if (!point.time) return std::nullopt;
  return point.time->mean_s * static_cast<double>(point.time->n * point.iterations_per_sample);
}

}  // namespace

bool is_power_metric(std::string_view name) {
  constexpr std::array<std::string_view, 3> names{core::names::power_w, core::names::energy_j,
                                                  core::names::joules_per_tflop};
  return std::ranges::find(names, name) != names.end();
}

void read_older_power(PointRecord& point) {
  if (!has_power(point) || any_condition(point, core::names::power_by)) return;
  const std::optional<double> window = window_s(point);
  if (window && *window >= shortest_window_s) return;
  std::erase_if(point.metrics, [](const Metric& metric) { return is_power_metric(metric.name); });
  std::erase_if(point.conditions,
                [](const core::Fact& fact) { return is_of_any_gpu(fact.first, core::names::power_w); });
  point.conditions.emplace_back(core::names::power_left_out,
                                window
                                    ? fmt::format("taken over {:.3g} s, and the energy counter needs {:g} s",
                                                  *window, shortest_window_s)
                                    : "taken over an unknown time");
}

}  // namespace assay::results
