// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/fit/line_sums.hpp"

namespace assay::model::fit {
namespace {

constexpr int folds = 5;

using Rows = std::vector<CollectiveRow>;

// Of another dtype's rows under the line of one: dtypes lend each other a slope where one lacks the sizes for
// it.
constexpr double weight_of_other_dtypes = 0.1;

// By cross-validation of the public tables (docs/fitting.md). Few sizes need far neighbours, many need near
// ones.
constexpr SurfaceScales shared_scales = {
    .common = 0.4, .family = 0.6, .dtype = 0.1, .length = 8, .noise = 0.02};
constexpr SurfaceScales own_scales = {.common = 0, .family = 0.6, .dtype = 0.1, .length = 3, .noise = 0.02};

std::map<std::string, std::vector<TimedSize>> points_by_dtype(const Rows& rows) {
  std::map<std::string, std::vector<TimedSize>> points;
  for (const CollectiveRow& row : rows) points[row.dtype].push_back({row.size_bytes, row.time_us});
  return points;
}

std::size_t different_sizes(const std::vector<TimedSize>& points) {
  std::set<double> sizes;
  for (const TimedSize& point : points) sizes.insert(point.size_bytes);
  return sizes.size();
}

std::map<std::string, Rows> by_family(const Rows& rows) {
  std::map<std::string, Rows> families;
  for (const CollectiveRow& row : rows) families[row.family()].push_back(row);
  return families;
}

Segment line_of(const Rows& family, const std::string& dtype) {
  LineSums sums;
  for (const CollectiveRow& row : family)
    sums.add({row.size_bytes, row.time_us}, row.dtype == dtype ? 1 : weight_of_other_dtypes);
  const Line line = sums.line();
  const auto [least, most] = std::ranges::minmax(family, {}, &CollectiveRow::size_bytes);
  Segment segment;
  segment.from_bytes = least.size_bytes;
  segment.to_bytes = most.size_bytes;
  segment.latency_us = line.latency_us;
  segment.us_per_byte = line.us_per_byte;
  segment.rows = family.size();
  return segment;
}

std::map<std::string, CollectiveCurve> curves_of(const Rows& family) {
  std::map<std::string, CollectiveCurve> curves;
  for (const auto& [dtype, points] : points_by_dtype(family))
    if (different_sizes(points) >= fewest_sizes_of_segment)
      curves.emplace(dtype, CollectiveCurve{line_of(family, dtype), fit_segments(points)});
  return curves;
}

/// A curve with too few sizes is left out.
CollectiveModels models_of(const Rows& rows) {
  std::map<std::string, std::size_t> rows_of_system;
  for (const CollectiveRow& row : rows) ++rows_of_system[row.system];
  CollectiveModels models;
  std::map<std::string, std::vector<SurfacePoint>> residuals;
  for (const auto& [name, members] : by_family(rows)) {
    const std::string& system = members.front().system;
    const std::string surface = rows_of_system[system] <= most_rows_shared ? system : name;
    const CollectiveFamily& family = models.families[name] = {curves_of(members), surface};
    for (const CollectiveRow& row : members) {
      const auto curve = family.curves.find(row.dtype);
      if (curve == family.curves.end()) continue;
      residuals[surface].push_back({{std::log2(row.size_bytes), name, row.dtype},
                                    std::log(row.time_us / curve->second.line.time_us(row.size_bytes))});
    }
  }
  for (const auto& [name, points] : residuals)
    models.surfaces.emplace(
        name, SizeSurface::fit(points, rows_of_system.contains(name) ? shared_scales : own_scales));
  return models;
}

void judge(const Rows& rows, std::uint64_t seed, CollectiveFit& fit) {
  for (int fold = 0; fold < folds; ++fold) {
    Rows kept, held_out;
    for (const CollectiveRow& row : rows)
      (split_bucket(seed, row.key()) % folds == fold ? held_out : kept).push_back(row);
    const CollectiveModels models = models_of(kept);
    for (const CollectiveRow& row : held_out) {
      const CollectiveCurve* curve = models.curve(row.family(), row.dtype);
      if (curve == nullptr) continue;
      fit.held_out.add(row.size_bytes, models.time_us(row.family(), row.dtype, row.size_bytes), row.time_us);
      fit.held_out_segments.add(row.size_bytes, segments_us(curve->segments, row.size_bytes), row.time_us);
    }
  }
}

void demand_right_number(const Timings<CollectiveRow>& timings, const std::string& family, const Rows& rows) {
  if (rows.size() > most_rows_of_surface)
    timings.table.complain(rows.front().table_row, "op",
                           fmt::format("{} rows of {}: too many for one surface; expected {} or fewer",
                                       rows.size(), family, most_rows_of_surface));
  std::map<std::string, const CollectiveRow*> first;
  for (const CollectiveRow& row : rows) first.emplace(row.dtype, &row);
  for (const auto& [dtype, points] : points_by_dtype(rows))
    if (const std::size_t sizes = different_sizes(points); sizes < fewest_sizes)
      timings.table.complain(first.at(dtype)->table_row, "size_bytes",
                             fmt::format("{} sizes of {},{}: too few for a fit; expected {} or more", sizes,
                                         family, dtype, fewest_sizes));
}

}  // namespace

const CollectiveCurve* CollectiveModels::curve(const std::string& family, const std::string& dtype) const {
  const auto found = families.find(family);
  if (found == families.end()) return nullptr;
  const auto curve = found->second.curves.find(dtype);
  return curve == found->second.curves.end() ? nullptr : &curve->second;
}

double CollectiveModels::time_us(const std::string& family, const std::string& dtype,
                                 double size_bytes) const {
  const CollectiveFamily& found = families.at(family);
  const double rest = surfaces.at(found.surface).predict({std::log2(size_bytes), family, dtype});
  return found.curves.at(dtype).line.time_us(size_bytes) * std::exp(rest);
}

CollectiveFit fit_collectives(const Timings<CollectiveRow>& timings, std::uint64_t seed) {
  const std::map<std::string, Rows> families = by_family(timings.rows);
  for (const auto& [family, rows] : families) demand_right_number(timings, family, rows);
  CollectiveFit fit;
  judge(timings.rows, seed, fit);
  fit.models = models_of(timings.rows);
  for (const auto& [name, rows] : families)
    for (const auto& [dtype, points] : points_by_dtype(rows))
      add_intervals(fit.models.families.at(name).curves.at(dtype).segments, points, seed);
  return fit;
}

}  // namespace assay::model::fit
