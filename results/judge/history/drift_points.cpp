// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/history/drift_points.hpp"

#include <algorithm>
#include <tuple>

#include "results/judge/series/series_points.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

DriftPoints::DriftPoints(const Store& store, const std::string& filter) : store_(store) {
  read(filter);
  sort();
  for (std::size_t at = 0; at < points_.size(); ++at)
    if (at == 0 || !are_of_one_series(points_[at - 1], points_[at])) ++series_;
}

bool DriftPoints::are_of_one_series(const Point& one, const Point& other) {
  return one.run == other.run && one.unit == other.unit && one.is_gpu == other.is_gpu &&
         one.metric == other.metric;
}

void DriftPoints::read(const std::string& filter) {
  SeriesPoints reader(store_, filter, SeriesPoints::Those::all);
  const std::vector<StoredRun> runs = whole_runs(store_);
  std::int64_t most = 0;
  for (const StoredRun& run : runs) most += run.ok;
  points_.reserve(static_cast<std::size_t>(most));
  for (const StoredRun& run : runs) {
    const std::uint32_t of_run = texts_.number_of(run.run_id);
    reader.read(run, [&](const SeriesPoint& point, const ContextRecord& context) {
      const PointIdentity identity = identity_of(point.case_name, point.key);
      points_.push_back({of_run, texts_.number_of(identity.unit(context.host)),
                         texts_.number_of(identity.metric), static_cast<std::uint32_t>(points_.size()),
                         point.id, !identity.gpu.empty(), context.origin});
    });
  }
  together_ = reader.together();
}

void DriftPoints::sort() {
  const std::vector<std::uint32_t> ranks = texts_.ranks();
  std::ranges::sort(points_, {}, [&](const Point& point) {
    return std::tuple(ranks[point.run], ranks[point.unit], !point.is_gpu, ranks[point.metric], point.order);
  });
}

void DriftPoints::name(std::span<const Point> points, DriftSeries& series) const {
  const Point& first = points.front();
  series.run = texts_[first.run];
  series.unit = texts_[first.unit];
  series.kind = first.is_gpu ? "gpu" : "host";
  series.metric = texts_[first.metric];
  series.origin = to_string(points.back().origin);
}

void DriftPoints::each_series(const std::function<void(const DriftSeries& series)>& take) const {
  Statement samples = store_.database().prepare("SELECT samples_s FROM points WHERE id = ?");
  DriftSeries series;
  std::vector<double> of_point;
  for (auto begin = points_.begin(); begin != points_.end();) {
    const auto end = std::find_if(begin, points_.end(),
                                  [&](const Point& point) { return !are_of_one_series(*begin, point); });
    name({begin, end}, series);
    series.times_s.clear();
    for (const Point& point : std::span(begin, end)) {
      if (!samples.bind(point.id).step()) continue;
      samples.numbers(0, of_point);
      series.times_s.insert(series.times_s.end(), of_point.begin(), of_point.end());
    }
    take(series);
    begin = end;
  }
}

}  // namespace assay::results
