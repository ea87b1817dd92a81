// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/run_histories.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double deviations_of_interval = 1.96;  // from the middle of a 95 % interval to its end

RunLevel level_of(const std::vector<StoredPoint>& repetitions) {
  std::vector<double> logs;
  double error = 0;
  for (const StoredPoint& one : repetitions) {
    logs.push_back(std::log(one.time_s));
    const double half = std::max(0.0, one.upper_s - one.lower_s) / 2 / one.time_s;
    error = std::max(error, half / deviations_of_interval);
  }
  return {median(std::move(logs)), error};
}

class HistoryReader {
 public:
  HistoryReader(const Store& store, std::string filter) : store_(store), filter_(std::move(filter)) {}

  void read(const StoredRun& run) {
    const auto contexts = contexts_by_process(store_, run);
    std::map<std::string, std::size_t> place;  // of this run among the host's
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<StoredPoint>> repetitions;
    for (StoredPoint& point : points_in_order(store_, run, filter_, -1)) {
      const auto context = contexts.find(point.process);
      if (point.status != Status::ok || context == contexts.end() || !(point.time_s > 0)) continue;
      if (measured_together(context->second)) {
        ++together_;
        continue;
      }
      const std::string& host = context->second.host;
      if (place.emplace(host, hosts_[host].runs.size()).second)
        hosts_[host].runs.push_back({run.run_id, run.started, context->second});
      const PointIdentity identity = identity_of(point.case_name, point.key);
      HistorySeries& series = hosts_[host].series[{identity.unit(host), identity.metric}];
      series.unit = identity.unit(host), series.metric = identity.metric;
      series.kind = identity.gpu.empty() ? "host" : "gpu";
      series.origin = to_string(context->second.origin);
      repetitions[{host, series.unit, series.metric}].push_back(std::move(point));
    }
    for (const auto& [name, points] : repetitions) {
      const auto& [host, unit, metric] = name;
      HistorySeries& series = hosts_[host].series[{unit, metric}];
      series.runs.push_back(place.at(host));
      series.levels.push_back(level_of(points));
    }
  }

  RunHistories take() { return {std::move(hosts_), together_}; }

 private:
  const Store& store_;
  std::string filter_;
  std::map<std::string, HostHistory> hosts_;
  std::size_t together_ = 0;
};

/// Sums over the series of one run.
struct CommonRun {
  double deviations = 0, squared_errors = 0, series = 0;

  RunLevel level() const { return {deviations / series, std::sqrt(squared_errors) / series}; }
};

HistorySeries common_series(const std::string& host, const HostHistory& history) {
  HistorySeries common{.unit = host, .kind = "host", .metric = "all points"};
  if (history.series.size() < 2) return common;
  std::vector<CommonRun> runs(history.runs.size());
  for (const auto& [id, series] : history.series) {
    common.origin = series.origin;
    std::vector<double> logs;
    for (const RunLevel& level : series.levels) logs.push_back(level.log);
    const double middle = median(std::move(logs));
    for (std::size_t at = 0; at < series.runs.size(); ++at) {
      CommonRun& run = runs[series.runs[at]];
      run.deviations += series.levels[at].log - middle, ++run.series;
      run.squared_errors += series.levels[at].error * series.levels[at].error;
    }
  }
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (2 * runs[run].series >= static_cast<double>(history.series.size()))
      common.runs.push_back(run), common.levels.push_back(runs[run].level());
  return common;
}

}  // namespace

RunHistories run_histories(const Store& store, const std::string& filter) {
  HistoryReader reader(store, filter);
  std::vector<StoredRun> runs = whole_runs(store);
  std::ranges::stable_sort(runs, {}, &StoredRun::started);
  for (const StoredRun& run : runs) reader.read(run);
  RunHistories histories = reader.take();
  for (auto& [name, host] : histories.hosts) host.common = common_series(name, host);
  return histories;
}

}  // namespace assay::results
