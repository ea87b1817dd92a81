// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "model/fit/laws/doubtful_ends.hpp"
#include "model/fit/regression/line_sums.hpp"

namespace assay::model::fit {
namespace {

constexpr int folds = 5;

using Rows = std::vector<CollectiveRow>;

// The weight of another dtype's rows under the line of one: dtypes lend each other a slope where one lacks
// the sizes for it.
constexpr double weight_of_other_dtypes = 0.1;

// Scales from cross-validation of the public tables (docs/evidence/fits.md). Few sizes need far neighbours,
// many need near ones.
constexpr SurfaceScales shared_scales = {
    .common = 0.4, .family = 0.6, .dtype = 0.07, .length = 8, .noise = 0.02};
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

/// The factor, from the size at which the line spends equal parts on latency and bandwidth, beyond which one
/// of them is all of the time. By cross-validation of the public tables, with a flat optimum.
constexpr double far_from_balance = 100;

SurfaceScales scales_for(SurfaceScales scales, const std::vector<double>& balances) {
  if (balances.empty()) return scales;
  const double bytes = core::quantile_of(balances, 0.5);
  scales.flat_below_bytes = bytes / far_from_balance;
  scales.flat_above_bytes = bytes * far_from_balance;
  return scales;
}

struct SurfaceRows {
  std::vector<SurfacePoint> points;
  std::vector<double> balances;  // of each line, bytes
};

void add_residuals(const std::string& name, const Rows& members, const CollectiveFamily& family,
                   SurfaceRows& all) {
  for (const auto& [dtype, points] : points_by_dtype(members)) {
    const auto curve = family.curves.find(dtype);
    if (curve == family.curves.end()) continue;
    const Segment& line = curve->second.line;
    if (line.latency_us > 0 && line.us_per_byte > 0)
      all.balances.push_back(line.latency_us / line.us_per_byte);
    const std::vector<bool> doubtful = doubtful_ends(points);
    for (std::size_t i = 0; i < points.size(); ++i)
      all.points.push_back({{std::log2(points[i].size_bytes), name, dtype},
                            std::log(points[i].time_us / line.time_us(points[i].size_bytes)),
                            doubtful[i]});
  }
}

/// A curve with too few sizes is left out.
CollectiveModels models_of(const Rows& rows) {
  std::map<std::string, std::size_t> rows_of_system;
  for (const CollectiveRow& row : rows) ++rows_of_system[row.tiered_system()];
  CollectiveModels models;
  std::map<std::string, SurfaceRows> residuals;
  for (const auto& [name, members] : by_family(rows)) {
    const std::string system = members.front().tiered_system();
    const std::string surface = rows_of_system[system] <= most_rows_shared ? system : name;
    const CollectiveFamily& family =
        models.families[name] = {members.front().name(), curves_of(members), surface};
    add_residuals(name, members, family, residuals[surface]);
  }
  for (const auto& [name, of] : residuals) {
    const SurfaceScales& scales = rows_of_system.contains(name) ? shared_scales : own_scales;
    models.surfaces.emplace(name, SizeSurface::fit(of.points, scales_for(scales, of.balances)));
  }
  return models;
}

/// `add(row, models)` for every row whose curve the models still have.
template <class Add>
void judge_without(const Rows& rows, const std::vector<bool>& held_out, Add add) {
  Rows kept;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!held_out[i]) kept.push_back(rows[i]);
  const CollectiveModels models = models_of(kept);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (held_out[i] && models.curve(rows[i].family(), rows[i].dtype) != nullptr) add(rows[i], models);
}

void judge_middles(const Rows& rows, std::uint64_t seed, CollectiveFit& fit) {
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<bool> held_out;
    for (const CollectiveRow& row : rows) held_out.push_back(split_bucket(seed, row.key()) % folds == fold);
    judge_without(rows, held_out, [&](const CollectiveRow& row, const CollectiveModels& models) {
      const CollectiveCurve& curve = *models.curve(row.family(), row.dtype);
      fit.held_out.add(row.size_bytes, models.time_us(row.family(), row.dtype, row.size_bytes), row.time_us);
      fit.held_out_segments.add(row.size_bytes, segments_us(curve.segments, row.size_bytes), row.time_us);
    });
  }
}

/// Families take turns, so that those of a surface do not all lack their ends together.
void judge_ends(const Rows& rows, std::uint64_t seed, CollectiveFit& fit) {
  std::map<std::string, std::pair<double, double>> ends;
  for (const CollectiveRow& row : rows) {
    auto& [least, most] = ends.try_emplace(row.family(), row.size_bytes, row.size_bytes).first->second;
    least = std::min(least, row.size_bytes), most = std::max(most, row.size_bytes);
  }
  constexpr int turns = 2;
  for (const bool large : {false, true})
    for (int turn = 0; turn < turns; ++turn) {
      std::vector<bool> held_out;
      for (const CollectiveRow& row : rows) {
        const auto& [least, most] = ends.at(row.family());
        held_out.push_back(split_bucket(seed, row.family()) % turns == turn &&
                           row.size_bytes == (large ? most : least));
      }
      judge_without(rows, held_out, [&](const CollectiveRow& row, const CollectiveModels& models) {
        fit.held_out_ends.add(row.size_bytes, models.time_us(row.family(), row.dtype, row.size_bytes),
                              row.time_us);
      });
    }
}

void demand_few_enough(const Timings<CollectiveRow>& timings, const std::string& family, const Rows& rows) {
  if (rows.size() > most_rows_of_surface)
    timings.table.complain(rows.front().table_row, "op",
                           fmt::format("{} rows of {}: too many for one surface; expected {} or fewer",
                                       rows.size(), family, most_rows_of_surface));
}

/// The rows of curves with sizes enough; the others are named in `left_out`.
Rows rows_of_curves(const Timings<CollectiveRow>& timings, std::vector<std::string>& left_out) {
  std::map<std::string, std::set<double>> sizes;
  for (const CollectiveRow& row : timings.rows) sizes[row.curve()].insert(row.size_bytes);
  for (const auto& [curve, different] : sizes)
    if (different.size() < fewest_sizes)
      left_out.push_back(
          fmt::format("{}: {} sizes; expected {} or more", curve, different.size(), fewest_sizes));
  Rows rows = timings.rows;
  std::erase_if(rows, [&](const CollectiveRow& row) { return sizes.at(row.curve()).size() < fewest_sizes; });
  if (rows.empty())
    core::usage_error(
        fmt::format("{}: too few sizes for a fit; expected {} or more of one operation, algorithm, dtype and "
                    "number of ranks",
                    timings.table.path(), fewest_sizes));
  return rows;
}

}  // namespace

std::string CollectiveModels::family_of(const CollectiveRow& row) const {
  const std::string own = row.family();
  return families.contains(own) ? own : row.of_unknown_nodes().family();
}

const CollectiveCurve* CollectiveModels::curve(const std::string& family, const std::string& dtype) const {
  const auto found = families.find(family);
  if (found == families.end()) return nullptr;
  const auto curve = found->second.curves.find(dtype);
  return curve == found->second.curves.end() ? nullptr : &curve->second;
}

double CollectiveModels::time_us(const std::string& family, const std::string& dtype,
                                 double size_bytes) const {
  const CollectiveFamily& found = families.at(family);
  const Segment& line = found.curves.at(dtype).line;
  const double asked =
      std::clamp(size_bytes, line.from_bytes / surface_reaches, line.to_bytes * surface_reaches);
  const double rest = surfaces.at(found.surface).predict({std::log2(asked), family, dtype});
  return line.time_us(size_bytes) * std::exp(rest);
}

CollectiveFit fit_collectives(const Timings<CollectiveRow>& timings, std::uint64_t seed) {
  CollectiveFit fit;
  const Rows enough = rows_of_curves(timings, fit.left_out);
  const std::map<std::string, Rows> families = by_family(enough);
  for (const auto& [family, rows] : families) demand_few_enough(timings, family, rows);
  judge_middles(enough, seed, fit);
  judge_ends(enough, seed, fit);
  fit.models = models_of(enough);
  for (const auto& [name, rows] : families)
    for (const auto& [dtype, points] : points_by_dtype(rows))
      add_intervals(fit.models.families.at(name).curves.at(dtype).segments, points);
  fit.rank_laws = fit_rank_laws(enough, seed);
  fit.overtaken = overtaken_sizes(timings.rows);
  return fit;
}

}  // namespace assay::model::fit
