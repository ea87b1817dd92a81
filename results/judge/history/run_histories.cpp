// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/history/run_histories.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/series/series_points.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double deviations_of_interval = 1.96;  // from the middle of a 95 % interval to its end

RunLevel level_of(const SeriesPoint& point) {
  const double half = std::max(0.0, point.upper_s - point.lower_s) / 2 / point.time_s;
  return {std::log(point.time_s), std::max(0.0, half / deviations_of_interval)};
}

/// Sums over the series of one run.
struct CommonRun {
  double deviations = 0, squared_errors = 0, series = 0;

  RunLevel level() const { return {deviations / series, std::sqrt(squared_errors) / series}; }
};

void add_series(const HistorySeries& series, std::vector<CommonRun>& runs) {
  std::vector<double> logs;
  for (const RunLevel& level : series.levels) logs.push_back(level.log);
  const double middle = core::median(std::move(logs));
  for (std::size_t at = 0; at < series.runs.size(); ++at) {
    CommonRun& run = runs[series.runs[at]];
    run.deviations += series.levels[at].log - middle, ++run.series;
    run.squared_errors += series.levels[at].error * series.levels[at].error;
  }
}

}  // namespace

/// Adds a run after the other to the histories.
class HistoryReader {
 public:
  HistoryReader(const Store& store, const std::string& filter, RunHistories& histories)
      : points_(store, filter, SeriesPoints::Those::with_a_time), histories_(histories) {}

  void read(const StoredRun& run) {
    const std::size_t before = histories_.values_.size();
    std::map<std::string, std::uint32_t> place;  // of this run among the host's
    points_.read(run, [&](const SeriesPoint& point, const ContextRecord& context) {
      HostHistory& host = histories_.hosts_[context.host];
      const auto [own, fresh] = place.emplace(context.host, static_cast<std::uint32_t>(host.runs.size()));
      if (fresh) host.runs.push_back({run.run_id, run.started, context});
      const PointIdentity identity = identity_of(point.case_name, point.key);
      SharedTexts& texts = histories_.texts_;
      histories_.values_.push_back({texts.number_of(context.host),
                                    texts.number_of(identity.unit(context.host)),
                                    texts.number_of(identity.metric), own->second, level_of(point),
                                    !identity.gpu.empty(), context.origin});
    });
    join_repetitions(before);
    histories_.together_ = points_.together();
  }

 private:
  using Value = RunHistories::Value;

  /// Joins the repetitions of the run that was read last into one value of each series.
  void join_repetitions(std::size_t begin) {
    std::vector<Value>& values = histories_.values_;
    const auto of_run = std::span(values).subspan(begin);
    std::ranges::stable_sort(
        of_run, {}, [](const Value& value) { return std::tuple(value.host, value.unit, value.metric); });
    std::size_t kept = begin;
    for (std::size_t at = begin; at < values.size();) {
      const std::size_t first = at;
      std::vector<double> logs;
      double error = 0;
      for (; at < values.size() && RunHistories::are_of_one_series(values[first], values[at]); ++at) {
        logs.push_back(values[at].level.log);
        error = std::max(error, values[at].level.error);
      }
      values[kept] = values[at - 1];  // what it is of is as its last point says
      values[kept++].level = {core::median(std::move(logs)), error};
    }
    values.resize(kept);
  }

  SeriesPoints points_;
  RunHistories& histories_;
};

RunHistories::RunHistories(const Store& store, const std::string& filter) {
  HistoryReader reader(store, filter, *this);
  std::vector<StoredRun> runs = whole_runs(store);
  std::ranges::stable_sort(runs, {}, &StoredRun::started);
  for (const StoredRun& run : runs) reader.read(run);
  sort();
  for (auto& [name, host] : hosts_) add_common(name, host);
}

bool RunHistories::are_of_one_series(const Value& one, const Value& other) {
  return one.host == other.host && one.unit == other.unit && one.metric == other.metric;
}

void RunHistories::sort() {
  const std::vector<std::uint32_t> ranks = texts_.ranks();
  std::ranges::sort(values_, {}, [&](const Value& value) {
    return std::tuple(ranks[value.host], ranks[value.unit], ranks[value.metric], value.run);
  });
  for (std::size_t at = 0; at < values_.size();) {
    HostHistory& host = hosts_.at(std::string(texts_[values_[at].host]));
    const std::size_t first = host.first_value = at;
    for (; at < values_.size() && values_[at].host == values_[first].host; ++at)
      if (at == first || !are_of_one_series(values_[at - 1], values_[at])) ++host.series;
    host.last_value = at;
  }
}

void RunHistories::each_series(const HostHistory& host,
                               const std::function<void(const HistorySeries& series)>& take) const {
  for (std::size_t at = host.first_value; at < host.last_value;) {
    const Value& first = values_[at];
    HistorySeries series{.unit = std::string(texts_[first.unit]),
                         .metric = std::string(texts_[first.metric])};
    for (; at < host.last_value && are_of_one_series(first, values_[at]); ++at) {
      series.runs.push_back(values_[at].run);
      series.levels.push_back(values_[at].level);
    }
    series.kind = values_[at - 1].is_gpu ? "gpu" : "host";
    series.origin = to_string(values_[at - 1].origin);
    take(series);
  }
}

void RunHistories::add_common(const std::string& name, HostHistory& host) {
  host.common = {.unit = name, .kind = "host", .metric = "all points"};
  if (host.series < 2) return;
  std::vector<CommonRun> runs(host.runs.size());
  each_series(host, [&](const HistorySeries& series) {
    host.common.origin = series.origin;
    add_series(series, runs);
  });
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (2 * runs[run].series >= static_cast<double>(host.series))
      host.common.runs.push_back(run), host.common.levels.push_back(runs[run].level());
}

}  // namespace assay::results
