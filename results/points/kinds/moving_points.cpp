// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/moving_points.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::results {

std::string still_moving(const RunPoints& run, const StoredPoint& point) {
  if (point.status != Status::ok || point.back_end() != "cuda") return "";
  return still_moving(run.record(point.id).warmup);
}

std::string moving_note(const RunPoints& run, const std::vector<StoredPoint>& points) {
  const auto measured = std::ranges::count(points, Status::ok, &StoredPoint::status);
  const auto moving = std::ranges::count_if(
      points, [&](const StoredPoint& point) { return !still_moving(run, point).empty(); });
  if (moving == 0) return "";
  return fmt::format(
      "{} of {} points were measured while their GPU was still getting slower (power or SM clock moved when "
      "the warm-up ended): no steady rate. assay show points marks them.",
      moving, measured);
}

}  // namespace assay::results
