// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/checkpoint_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"

namespace assay::answers {
namespace {

constexpr double far_from_measured = 1000;

std::int64_t bytes_of(const results::MeasuredPoint& point) {
  return results::field_integer(point.point.axes, {"bytes"}).value_or(0);
}

}  // namespace

CheckpointCosts checkpoint_costs(const results::RunPoints& run, double state_bytes) {
  const std::vector<results::MeasuredPoint> points = run.measured("offload.*.checkpoint");
  const std::string& run_id = run.stored().run_id;
  if (points.empty())
    core::usage_error(fmt::format("run {} has no checkpoint: measure offload.*.checkpoint", run_id));
  const results::MeasuredPoint& largest = *std::ranges::max_element(points, {}, bytes_of);
  const auto metric = [&](const char* name) {
    const std::optional<double> value = largest.metric(name);
    if (!value) core::usage_error(fmt::format("run {}: its checkpoint has no {}", run_id, name));
    return *value;
  };
  if (state_bytes <= 0) core::usage_error("--state: expected bytes above 0");
  const double gb = state_bytes * 1e-9;
  CheckpointCosts costs{
      .lost_s = metric(core::names::lost_s_per_gb) * gb,
      .write_s = gb / metric(core::names::save_gb_per_s) + metric(core::names::commit_s),
      .source = fmt::format("{} in run {}, {}", largest.point.case_name, run_id, run.origin())};
  const auto measured = static_cast<double>(bytes_of(largest));
  if (measured > 0 &&
      (state_bytes * far_from_measured < measured || state_bytes > measured * far_from_measured))
    costs.doubts.push_back(
        fmt::format("the checkpoint that was measured has {}, --state {}: beyond a factor of {:g}",
                    core::format_bytes(bytes_of(largest)), core::format_bytes(std::llround(state_bytes)),
                    far_from_measured));
  if (const auto rate = largest.metric(core::names::restore_gb_per_s)) costs.restore_s = gb / *rate;
  return costs;
}

void take_checkpoint(const CheckpointCosts& costs, model::reliability::JobRequest& request) {
  request.stall_s = costs.lost_s;
  request.durable_after_s = costs.write_s;
  request.recovery_s += costs.restore_s;
  request.checkpoint_source = costs.source;
  request.doubts.insert(request.doubts.end(), costs.doubts.begin(), costs.doubts.end());
}

}  // namespace assay::answers
