// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_run_view.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics.hpp"

namespace assay::results {
namespace {

/// Noise is taken to fall at least as fast as that of Student's t with three degrees of freedom.
constexpr double steepest_slope = 1.0 / 3;
constexpr std::size_t enough_places = 200;  // that a run tells its own tail
constexpr double beyond_outer = 10, inner_of_outer = 4;
constexpr double outer_share = 0.05, outer_score = 1.645;
constexpr double inner_share = 0.2, outer_of_inner = 2;  // 1.645 / 0.842, of normal noise
/// The spread of a few places varies this much by itself.
constexpr double restless = 2;

/// The smaller of the middle two, where there are two: a fault in half of the runs is not the usual run.
double lower_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

RunView::RunView(const SeriesRow& row, const Core& core, double margin, double error)
    : row_(row), margin_(margin) {
  sort_by_run(core);
  learn(error);
}

void RunView::sort_by_run(const Core& core) {
  std::size_t measured = 0;
  for (const PlaceSeries& series : row_) {
    measured += series.values.empty() ? 0 : 1;
    std::vector<double> standing = series.values;
    const bool is_sound =
        std::abs(median_in_place(standing) - core.centre) <= far_off_deviations * core.deviation;
    for (std::size_t at = 0; at < series.values.size(); ++at) {
      const std::size_t run = series.rounds[at];
      if (run >= all_.size()) all_.resize(run + 1), sound_.resize(run + 1);
      all_[run].push_back(series.values[at]);
      if (is_sound) sound_[run].push_back(series.values[at]);
    }
  }
  // A round of a few tells nothing of the noise of all.
  for (std::size_t run = 0; run < all_.size(); ++run)
    if (2 * all_[run].size() < measured) all_[run].clear(), sound_[run].clear();
}

void RunView::learn(double error) {
  std::vector<double> cores;
  unrest_.assign(all_.size(), 1);
  for (const auto& run : all_)
    if (!run.empty()) cores.push_back(core_of(run).deviation);
  usual_ = lower_median(cores);
  std::size_t places = 0;
  for (std::size_t run = 0, full = 0; run < all_.size(); ++run) {
    places = std::max(places, sound_[run].size());
    if (!all_[run].empty()) unrest_[run] = std::max(1.0, cores[full++] / (restless * usual_));
  }
  const double probability = error / static_cast<double>(std::max<std::size_t>(1, all_.size()));
  const double outer =
      std::min(outer_share, beyond_outer / static_cast<double>(std::max<std::size_t>(1, places)));
  far_ = places < enough_places ? tail_of_few(probability) : tail_of_many(outer, probability);
}

/// How far below the middle this share of the sound places is, in the quieter of the runs; above 0.
double RunView::quiet_quantile(double probability) const {
  std::vector<double> runs;
  for (const auto& run : sound_)
    if (!run.empty()) runs.push_back(-core::quantile_of(run, probability));
  return lower_median(std::move(runs));
}

double RunView::tail_of_few(double probability) const {
  const double outer = std::max(outer_score * usual_, outer_of_inner * quiet_quantile(inner_share));
  return outer * std::pow(std::max(1.0, outer_share / probability), steepest_slope);
}

/// By the slope of the tail (Hill 1975), from where ten places of a run lie beyond.
double RunView::tail_of_many(double outer, double probability) const {
  const double x_outer = std::max(quiet_quantile(outer), outer_score * usual_);
  const double x_inner = quiet_quantile(inner_of_outer * outer);
  const double slope = x_inner > 0 && x_inner < x_outer
                           ? std::log(x_outer / x_inner) / std::log(inner_of_outer)
                           : steepest_slope;
  return x_outer * std::pow(std::max(1.0, outer / probability), std::min(slope, steepest_slope));
}

RunView::FarOff RunView::far_off(std::size_t place) const {
  const PlaceSeries& series = row_[place];
  FarOff far;
  for (std::size_t at = 0; at < series.values.size(); ++at) {
    ++far.sound_since;
    if (series.values[at] >= -std::max(margin_, far_ * unrest_[series.rounds[at]] * series.widened[at]))
      continue;
    far.values.push_back(series.values[at]), far.rounds.push_back(series.rounds[at]);
    far.sound_since = 0;
  }
  return far;
}

}  // namespace assay::results
