// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/stored_value.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/core/names.hpp"
#include "harness/core/statistics/order_statistic.hpp"

namespace assay::model::claims {
namespace {

double picked(std::vector<double> values, Pick pick) {
  if (pick == Pick::least) return std::ranges::min(values);
  if (pick == Pick::most) return std::ranges::max(values);
  return core::median(std::move(values));
}

std::string machine_of(const results::RunPoints& run, const results::StoredPoint& point) {
  const results::PointRecord& record = run.record(point.id);
  if (std::string gpu = results::field_text(record.conditions, {core::names::gpu_name}); !gpu.empty())
    return gpu;
  return run.contexts().empty() ? "" : run.contexts().front().host;
}

/// The metric's value; time_us of a point whose headline is a rate is the time of an iteration.
std::optional<double> number_of(const results::StoredPoint& point, const results::PointRecord& record,
                                const std::string& metric) {
  if (const results::Metric* const found = results::find(record.metrics, metric)) return found->value;
  return metric == core::names::time_us ? std::optional(1e6 * point.time_s) : std::nullopt;
}

std::optional<StoredValue> value_in(const results::RunPoints& run, const Quantity& quantity) {
  std::vector<double> values;
  std::string on;
  for (const results::StoredPoint& point : run.in_order(quantity.point, results::summary_point_limit)) {
    if (point.status != results::Status::ok) continue;
    const results::PointRecord& record = run.record(point.id);
    if (results::find(record.conditions, core::names::not_a_performance_measurement) != nullptr) continue;
    const std::optional<double> value = number_of(point, record, quantity.metric);
    if (!value || !std::isfinite(*value)) continue;
    values.push_back(*value);
    if (on.empty()) on = machine_of(run, point);
  }
  if (values.empty()) return {};
  return StoredValue{.value = picked(std::move(values), quantity.pick), .origin = run.origin(), .on = on};
}

}  // namespace

std::optional<StoredValue> stored_value(Runs runs, const Quantity& quantity) {
  for (const results::RunPoints* run : runs)
    if (auto value = value_in(*run, quantity)) return value;
  return {};
}

}  // namespace assay::model::claims
