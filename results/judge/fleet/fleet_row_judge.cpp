// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_row_judge.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"

namespace assay::results {
namespace {

constexpr std::size_t least_runs = 3;       // before anything fails
constexpr std::size_t least_late_runs = 2;  // in a row that show a place that degraded
constexpr std::size_t halves_from = 6;      // runs from which the later half is looked at by itself
constexpr double most_more_runs = 99;

std::size_t usual_runs_of(const SeriesRow& row) {
  std::vector<double> runs;
  for (std::size_t place = 0; place < row.size(); ++place)
    runs.push_back(static_cast<double>(row.runs(place)));
  return static_cast<std::size_t>(core::upper_median(std::move(runs)));
}

constexpr double steepest_slope = 1 / tail_degrees;
constexpr std::size_t enough_places = 200;  // for a run to show its own tail
constexpr double beyond_outer = 10, inner_of_outer = 4;
constexpr double outer_share = 0.05, outer_score = 1.645;
constexpr double inner_share = 0.2, outer_of_inner = 2;  // 1.645 / 0.842, of normal noise
/// The spread of a few places varies this much by itself.
constexpr double restless = 2;

}  // namespace

double loss_of_shift(double shift) { return -std::expm1(shift); }
double shift_of_loss(double loss) { return std::log1p(-loss); }

RowJudge::RowJudge(const FleetRules& rules, const CellErrors& errors, const SeriesRow& row,
                   const MetricNoise& noise, PlaceScatter scatter)
    : rules_(rules),
      errors_(errors),
      row_(row),
      noise_(noise),
      scatter_(std::move(scatter)),
      usual_runs_(usual_runs_of(row)) {
  const double margin = -shift_of_loss(rules.margin), site = -shift_of_loss(rules.site_margin);
  lasting_ = lasting_limit(noise, errors.all_runs);
  side_score_ = -core::normal_quantile(errors.side), unlike_score_ = -core::normal_quantile(errors.all_runs);
  limit_ = std::min(std::max(margin, lasting_), std::max(margin, site));
  suspect_below_ =
      std::min(-margin, noise.scale * noise.scores.value_at(core::normal_quantile(rules.most_suspects)));
  if (usual_runs_ >= least_runs)
    detection_ = detection_of(noise, usual_runs_, errors.all_runs);
  else
    detection_.loss = -suspect_below_ + noise.scale * noise.scores.value_at(core::normal_quantile(0.9));
}

std::optional<FleetCandidate> RowJudge::candidate(std::size_t place) const {
  const std::size_t runs = row_.runs(place);
  if (runs < least_runs) return std::nullopt;
  const auto unlike = [&](std::size_t last, double error, Joined how) {
    const PlaceEvidence evidence(noise_, row_[place], last);
    return scatter_.probability(place, evidence.as_slow(how, 0)) <= 10 * error &&
           scatter_.probability(place, evidence.as_slow_as_sound(how)) <= error;
  };
  if (unlike(runs, errors_.all_runs, detection_.how)) return FleetCandidate{place, runs};
  if (unlike(least_late_runs, errors_.late_runs, Joined::least_bad))
    return FleetCandidate{place, least_late_runs};
  if (runs >= halves_from && unlike(runs / 2, errors_.late_runs, Joined::sum))
    return FleetCandidate{place, runs / 2};
  return std::nullopt;
}

bool RowJudge::is_above_margin(const FleetCandidate& candidate) const {
  const PlaceEvidence evidence(noise_, row_[candidate.place], candidate.last_runs);
  const double margin = shift_of_loss(rules_.margin);
  return evidence.standing() < margin &&
         scatter_.probability(candidate.place, evidence.as_slow(Joined::sum, margin)) <= errors_.margin;
}

bool RowJudge::is_within_limit(const FleetCandidate& candidate) const {
  const PlaceEvidence evidence(noise_, row_[candidate.place], candidate.last_runs);
  return evidence.joined_score(-limit_) >= side_score_;
}

bool RowJudge::is_suspect(std::size_t place) const {
  const PlaceEvidence evidence(noise_, row_[place]);
  if (evidence.runs() == 0) return false;
  if (evidence.runs() == 1) return row_[place].values.front() < suspect_below_;
  return evidence.standing() < shift_of_loss(rules_.margin) &&
         evidence.as_slow(Joined::sum, 0) <= rules_.most_suspects &&
         evidence.as_slow_as_sound(Joined::sum) <= rules_.most_suspects;
}

bool RowJudge::is_too_fast(std::size_t place) const {
  const PlaceEvidence evidence(noise_, row_[place]);
  return evidence.runs() >= least_runs &&
         evidence.standing() > std::max(lasting_, -shift_of_loss(rules_.margin)) &&
         evidence.joined_score(lasting_) > unlike_score_;
}

bool RowJudge::is_shown_below(std::size_t place) const {
  return is_shown_within(place, loss_of_shift(-limit_));
}

bool RowJudge::is_beyond(std::size_t place, double margin) const {
  const PlaceSeries series = row_[place];
  if (series.values.size() < least_runs || series.values.back() > shift_of_loss(margin)) return false;
  const double probability = PlaceEvidence(noise_, series).as_slow(Joined::sum, shift_of_loss(margin));
  return scatter_.probability(place, probability) <= errors_.site;
}

bool RowJudge::is_shown_within(std::size_t place, double margin) const {
  const PlaceEvidence evidence(noise_, row_[place]);
  return evidence.runs() > 0 && evidence.joined_score(shift_of_loss(margin)) >= side_score_;
}

std::optional<std::int64_t> RowJudge::more_runs(std::size_t place) const {
  const PlaceEvidence evidence(noise_, row_[place]);
  const auto runs = static_cast<double>(evidence.runs());
  if (runs == 0) return std::nullopt;
  const double sound = evidence.joined_score(-limit_) / std::sqrt(runs);
  const double slow = -evidence.joined_score(0) / std::sqrt(runs);
  const double needed = std::min(
      sound > 0 ? std::pow(side_score_ / sound, 2) : most_more_runs + runs,
      evidence.standing() < -limit_ && slow > 0 ? std::pow(unlike_score_ / slow, 2) : most_more_runs + runs);
  const double more = std::max(1.0, std::ceil(std::max(needed, static_cast<double>(least_runs)) - runs));
  return more < most_more_runs ? std::optional(static_cast<std::int64_t>(more)) : std::nullopt;
}

FleetFinding RowJudge::finding(FindingKind kind, std::size_t place, std::size_t last_runs,
                               double error) const {
  const PlaceEvidence evidence(noise_, row_[place], last_runs);
  FleetFinding finding{.kind = kind,
                       .loss = loss_of_shift(evidence.standing()),
                       .runs = evidence.runs(),
                       .of_runs = row_.runs(place)};
  if (const auto shift = evidence.shift_of(scatter_.joined(place, core::normal_quantile(error))))
    finding.lower = loss_of_shift(*shift);
  if (const auto shift = evidence.shift_of(scatter_.joined(place, side_score_)))
    finding.upper = loss_of_shift(*shift);
  finding.limit = kind == FindingKind::beyond_site ? rules_.site_margin : loss_of_shift(-limit_);
  if (kind == FindingKind::unlike_equals) finding.limit = rules_.margin;
  if (!finding.is_fault()) finding.more_runs = more_runs(place);
  return finding;
}

RunView::RunView(const SeriesRow& row, const Core& core, double margin, double error)
    : row_(row), margin_(margin) {
  sort_by_run(core);
  learn(error);
}

void RunView::sort_by_run(const Core& core) {
  std::vector<std::vector<double>> unsound(row_.rounds());
  for (std::size_t place = 0; place < row_.size(); ++place) {
    const double standing = row_.standing(place);
    if (std::isnan(standing) || std::abs(standing - core.centre) <= far_off_deviations * core.deviation)
      continue;
    const PlaceSeries series = row_[place];
    for (std::size_t at = 0; at < series.values.size(); ++at)
      unsound[series.rounds[at]].push_back(series.values[at]);
  }
  own_sound_.resize(row_.rounds());
  for (std::size_t run = 0; run < row_.rounds(); ++run) {
    const std::span<const double> all = row_.of_round(run);
    all_.push_back(row_.is_full(run) ? all : std::span<const double>());
    sound_.push_back(all_.back());
    if (unsound[run].empty() || !row_.is_full(run)) continue;
    std::ranges::sort(unsound[run]);
    std::ranges::set_difference(all, unsound[run], std::back_inserter(own_sound_[run]));
    sound_.back() = own_sound_[run];
  }
}

void RunView::learn(double error) {
  std::vector<double> cores;
  unrest_.assign(all_.size(), 1);
  for (const auto& run : all_)
    if (!run.empty()) cores.push_back(core_of_sorted(run).deviation);
  usual_ = core::lower_median(cores);  // a fault in half of the runs is not the usual run
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
    if (!run.empty()) runs.push_back(-quantile_of_sorted(run, probability));
  return core::lower_median(std::move(runs));
}

double RunView::tail_of_few(double probability) const {
  const double outer = std::max(outer_score * usual_, outer_of_inner * quiet_quantile(inner_share));
  return outer * std::pow(std::max(1.0, outer_share / probability), steepest_slope);
}

/// Extrapolates the tail by its slope (Hill 1975), from where ten places of a run lie beyond.
double RunView::tail_of_many(double outer, double probability) const {
  const double x_outer = std::max(quiet_quantile(outer), outer_score * usual_);
  const double x_inner = quiet_quantile(inner_of_outer * outer);
  const double slope = x_inner > 0 && x_inner < x_outer
                           ? std::log(x_outer / x_inner) / std::log(inner_of_outer)
                           : steepest_slope;
  return x_outer * std::pow(std::max(1.0, outer / probability), std::min(slope, steepest_slope));
}

RunView::FarOff RunView::far_off(std::size_t place) const {
  const PlaceSeries series = row_[place];
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

RunView::FarOff union_of_far_off(std::span<const RunView> views, std::size_t place) {
  RunView::FarOff all;
  for (const RunView& view : views) {
    const RunView::FarOff far = view.far_off(place);
    for (std::size_t at = 0; at < far.values.size(); ++at)
      if (std::ranges::find(all.rounds, far.rounds[at]) == all.rounds.end())
        all.rounds.push_back(far.rounds[at]), all.values.push_back(far.values[at]);
  }
  return all;
}

}  // namespace assay::results
