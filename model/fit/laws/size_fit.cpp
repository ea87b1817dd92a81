// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/size_fit.hpp"

#include <fmt/format.h>

#include <set>

#include "harness/core/error.hpp"

namespace assay::model::fit {
namespace {

constexpr int size_folds = 5;

using SizeRows = std::vector<SizeRow>;

std::vector<TimedSize> points_of(const SizeRows& rows) {
  std::vector<TimedSize> points;
  for (const SizeRow& row : rows) points.push_back({row.size_bytes, row.time_us});
  return points;
}

std::size_t different_sizes(const SizeRows& rows) {
  std::set<double> sizes;
  for (const SizeRow& row : rows) sizes.insert(row.size_bytes);
  return sizes.size();
}

void judge_sizes(const SizeRows& rows, std::uint64_t seed, Errors& errors) {
  for (int fold = 0; fold < size_folds; ++fold) {
    SizeRows kept, held_out;
    for (const SizeRow& row : rows)
      (split_bucket(seed, row.key()) % size_folds == fold ? held_out : kept).push_back(row);
    if (held_out.empty() || different_sizes(kept) < fewest_sizes_of_segment) continue;
    const std::vector<Segment> segments = fit_segments(points_of(kept));
    for (const SizeRow& row : held_out)
      errors.add(row.size_bytes, segments_us(segments, row.size_bytes), row.time_us);
  }
}

}  // namespace

SizeFit fit_sizes(const Timings<SizeRow>& timings, std::uint64_t seed) {
  std::map<std::string, SizeRows> by_curve;
  for (const SizeRow& row : timings.rows) by_curve[row.curve()].push_back(row);
  SizeFit fit;
  for (const auto& [name, rows] : by_curve) {
    if (const std::size_t sizes = different_sizes(rows); sizes < fewest_sizes_of_curve) {
      fit.left_out.push_back(
          fmt::format("{}: {} sizes; expected {} or more", name, sizes, fewest_sizes_of_curve));
      continue;
    }
    std::vector<Segment>& segments = fit.curves[name] = fit_segments(points_of(rows));
    add_intervals(segments, points_of(rows));
    judge_sizes(rows, seed, fit.held_out);
  }
  if (fit.curves.empty())
    core::usage_error(
        fmt::format("{}: too few sizes for a fit; expected {} or more of one operation under the "
                    "same conditions in one cache level",
                    timings.table.path(), fewest_sizes_of_curve));
  return fit;
}

}  // namespace assay::model::fit
