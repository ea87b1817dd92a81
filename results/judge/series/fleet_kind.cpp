// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_kind.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "harness/core/statistics/statistics.hpp"
#include "results/judge/series/round_gaps.hpp"
#include "results/judge/series/run_rounds.hpp"
#include "results/judge/series/uneven_points.hpp"

namespace assay::results {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// The median of each cell that a run measured, over its repetitions: they share the hour and the heat, and
/// are one measurement.
std::vector<FleetValue> medians_of(std::vector<FleetValue> run) {
  const auto cell = [](const FleetValue& value) { return std::pair(value.metric, value.unit); };
  std::ranges::sort(run, {}, cell);
  std::vector<FleetValue> medians;
  std::vector<double> repeated;
  for (std::size_t at = 0, end = 0; at < run.size(); at = end) {
    while (end < run.size() && cell(run[end]) == cell(run[at])) ++end;
    medians.push_back(run[at]);
    if (end - at == 1) continue;
    repeated.clear();
    for (std::size_t one = at; one < end; ++one) repeated.push_back(run[one].seconds);
    medians.back().seconds = core::quantile_of(repeated, 0.5);
  }
  return medians;
}

/// The number of a metric, made where it is new.
std::uint32_t number_of(const std::string& name, std::vector<FleetMetric>& metrics,
                        std::unordered_map<std::string, std::uint32_t>& numbers) {
  const auto [at, fresh] = numbers.try_emplace(name, static_cast<std::uint32_t>(metrics.size()));
  if (fresh) metrics.push_back({name, name.substr(0, name.find('.')), false});
  return at->second;
}

/// Distances from the middle of a round, in their median, beyond which a run before it belongs to another
/// time.
constexpr double stray_distances = 10;

/// Starts of the runs of a round that have a unit which no other of them has.
std::vector<double> starts_of_single_runs(const FleetKind& kind, std::span<const std::size_t> runs,
                                          std::span<const double> started_s) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max(), several = none - 1;
  std::vector<std::size_t> run_of(kind.fleet.units.size(), none);
  for (const std::size_t run : runs)
    for (const FleetValue& value : kind.runs[run]) {
      std::size_t& only = run_of[value.unit];
      only = only == none || only == run ? run : several;
    }
  const std::set<std::size_t> single(run_of.begin(), run_of.end());
  std::vector<double> starts;
  for (const std::size_t run : single)
    if (run < several && !std::isnan(started_s[run])) starts.push_back(started_s[run]);
  return starts;
}

/// Runs of a few long before the others were trials.
void put_strays_last(const FleetKind& kind, std::span<std::size_t> runs, std::span<const double> started_s) {
  const std::vector<double> starts = starts_of_single_runs(kind, runs, started_s);
  if (starts.empty()) return;
  const double middle = core::quantile_of(starts, 0.5);
  std::vector<double> distances;
  for (const double start : starts) distances.push_back(std::abs(start - middle));
  const double most = stray_distances * core::quantile_of(distances, 0.5);
  std::ranges::stable_partition(runs, [&](std::size_t run) { return !(started_s[run] < middle - most); });
}

/// Puts the values of one run after another into fleets.
class Arranged {
 public:
  Arranged(const Fleet& empty, MeasuredFleet& measured)
      : empty_(empty), measured_(measured), times_(empty.values.size()) {}

  void begin_round() {
    begin_ = measured_.again.size() + (anything_ ? 1 : 0);
    std::ranges::fill(times_, 0);
  }

  void take(const FleetValue& value, bool in_retest) {
    const std::size_t at = begin_ + times_[value.metric * empty_.units.size() + value.unit]++;
    if (at > measured_.again.size()) measured_.again.push_back(empty_);
    (at == 0 ? measured_.first : measured_.again[at - 1]).at(value.metric, value.unit) = value.seconds;
    is_retest_.resize(measured_.again.size() + 1, true);
    is_retest_[at] = is_retest_[at] && in_retest;
    anything_ = true;
  }

  /// Indexed by round: whether all its values are of retests.
  const std::vector<bool>& is_retest() const { return is_retest_; }

 private:
  const Fleet& empty_;
  MeasuredFleet& measured_;
  std::vector<std::uint32_t> times_;  // by cell, in this round
  std::size_t begin_ = 0;
  std::vector<bool> is_retest_ = {true};
  bool anything_ = false;
};

/// Returns which rounds are of retests.
std::vector<bool> arrange_rounds(FleetKind& kind, const std::vector<RunOfFleet>& of_fleet,
                                 MeasuredFleet& measured) {
  std::vector<double> started_s;
  for (const RunOfFleet& run : of_fleet) started_s.push_back(run.started_s);
  const std::vector<std::uint32_t> round_of = rounds_of_runs(kind.fleet, kind.runs, started_s);
  std::vector<std::size_t> runs(kind.runs.size());
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  Arranged arranged(kind.fleet, measured);
  for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
    while (end < runs.size() && round_of[end] == round_of[begin]) ++end;
    const auto round = std::span(runs).subspan(begin, end - begin);
    put_strays_last(kind, round, started_s);
    arranged.begin_round();
    for (const std::size_t run : round)
      for (const FleetValue& value : medians_of(std::move(kind.runs[run])))
        arranged.take(value, of_fleet[run].is_retest);
  }
  return arranged.is_retest();
}

std::vector<Fleet> rounds_under_load(FleetKind kind, const std::vector<RunOfFleet>& runs) {
  kind.fleet.metrics = std::move(kind.under_load.metrics);
  kind.fleet.values.assign(kind.fleet.units.size() * kind.fleet.metrics.size(), no_value);
  kind.runs = std::move(kind.under_load.runs);
  kind.runs.resize(runs.size());
  MeasuredFleet measured{.first = kind.fleet};
  arrange_rounds(kind, runs, measured);
  std::vector<Fleet> rounds{std::move(measured.first)};
  std::ranges::move(measured.again, std::back_inserter(rounds));
  return rounds;
}

}  // namespace

std::uint32_t FleetKind::metric(const std::string& name) { return number_of(name, fleet.metrics, metrics); }

void FleetMeasurements::add(std::size_t run, const std::string& metric, std::uint32_t unit, double seconds) {
  if (run >= runs.size()) runs.resize(run + 1);
  runs[run].push_back({number_of(metric, metrics, numbers), unit, seconds});
}

MeasuredFleet arrange(FleetKind kind, const std::vector<RunOfFleet>& runs) {
  kind.fleet.values.assign(kind.fleet.units.size() * kind.fleet.metrics.size(), no_value);
  MeasuredFleet measured{.first = kind.fleet, .failed = std::move(kind.failed), .together = kind.together};
  for (auto& [place, doubted] : kind.doubted) measured.doubted.push_back(std::move(doubted));
  for (FleetIssue& doubted : contradicted_points(kind.fleet, kind.runs, kind.unsupported))
    measured.doubted.push_back(std::move(doubted));
  if (kind.fleet.unit_level == "gpu" || kind.fleet.unit_level == "port")
    measured.missing = left_out_of_runs(kind.fleet, kind.runs);
  measured.uneven = uneven_points(kind.fleet, kind.runs);
  note_gaps(measured, arrange_rounds(kind, runs, measured));
  if (!kind.under_load.runs.empty()) measured.under_load = rounds_under_load(std::move(kind), runs);
  return measured;
}

}  // namespace assay::results
