// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_row_judge.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/student_t.hpp"

namespace assay::results {
namespace {

constexpr std::size_t least_runs = 3;       // before anything fails
constexpr std::size_t least_late_runs = 2;  // in a row that show a place that degraded
constexpr std::size_t halves_from = 6;      // runs from which the later half is looked at by itself
constexpr double most_more_runs = 99;

std::size_t fewest_or_usual(const SeriesRow& row) {
  std::vector<std::size_t> runs;
  for (const PlaceSeries& series : row) runs.push_back(series.values.size());
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end());
  return runs.empty() ? 0 : *middle;
}

}  // namespace

double loss_of_shift(double shift) { return -std::expm1(shift); }
double shift_of_loss(double loss) { return std::log1p(-loss); }

RowJudge::RowJudge(const FleetRules& rules, const CellErrors& errors, const SeriesRow& row,
                   const MetricNoise& noise)
    : rules_(rules), errors_(errors), row_(row), noise_(noise), usual_runs_(fewest_or_usual(row)) {
  const double margin = -shift_of_loss(rules.margin), site = -shift_of_loss(rules.site_margin);
  lasting_ = lasting_limit(noise, errors.all_runs);
  side_score_ = -normal_quantile(errors.side), unlike_score_ = -normal_quantile(errors.all_runs);
  limit_ = std::min(std::max(margin, lasting_), std::max(margin, site));
  suspect_below_ =
      std::min(-margin, noise.scale * noise.scores.value_at(normal_quantile(rules.most_suspects)));
  if (usual_runs_ >= least_runs)
    detection_ = detection_of(noise, usual_runs_, errors.all_runs);
  else
    detection_.loss = -suspect_below_ + noise.scale * noise.scores.value_at(normal_quantile(0.9));
}

std::optional<FleetCandidate> RowJudge::candidate(std::size_t place) const {
  const std::size_t runs = row_[place].values.size();
  if (runs < least_runs) return std::nullopt;
  const auto unlike = [&](std::size_t last, double error, Joined how) {
    const PlaceEvidence evidence(noise_, row_[place], last);
    return evidence.as_slow(how, 0) <= 10 * error && evidence.as_slow_as_sound(how) <= error;
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
  return evidence.standing() < margin && evidence.as_slow(Joined::sum, margin) <= errors_.side;
}

bool RowJudge::is_suspect(std::size_t place) const {
  const PlaceSeries& series = row_[place];
  const PlaceEvidence evidence(noise_, series, series.values.size());
  if (evidence.runs() == 0) return false;
  if (evidence.runs() == 1) return series.values.front() < suspect_below_;
  return evidence.standing() < shift_of_loss(rules_.margin) &&
         evidence.as_slow(Joined::sum, 0) <= rules_.most_suspects &&
         evidence.as_slow_as_sound(Joined::sum) <= rules_.most_suspects;
}

bool RowJudge::is_too_fast(std::size_t place) const {
  const PlaceSeries& series = row_[place];
  if (series.values.size() < least_runs) return false;
  const PlaceEvidence evidence(noise_, series, series.values.size());
  return evidence.standing() > std::max(lasting_, -shift_of_loss(rules_.margin)) &&
         evidence.joined_score(lasting_) > unlike_score_;
}

bool RowJudge::is_shown_below(std::size_t place) const {
  return is_shown_within(place, -std::expm1(-limit_));
}

bool RowJudge::is_beyond(std::size_t place, double margin) const {
  const PlaceSeries& series = row_[place];
  if (series.values.size() < least_runs || series.values.back() > shift_of_loss(margin)) return false;
  const PlaceEvidence evidence(noise_, series, series.values.size());
  return evidence.as_slow(Joined::sum, shift_of_loss(margin)) <= errors_.site;
}

bool RowJudge::is_shown_within(std::size_t place, double margin) const {
  const PlaceSeries& series = row_[place];
  if (series.values.empty()) return false;
  return PlaceEvidence(noise_, series, series.values.size()).joined_score(shift_of_loss(margin)) >=
         side_score_;
}

std::optional<std::int64_t> RowJudge::more_runs(std::size_t place) const {
  const PlaceEvidence evidence(noise_, row_[place], row_[place].values.size());
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
                       .of_runs = row_[place].values.size()};
  if (const auto shift = evidence.shift_of(normal_quantile(error))) finding.lower = loss_of_shift(*shift);
  if (const auto shift = evidence.shift_of(side_score_)) finding.upper = loss_of_shift(*shift);
  finding.limit = kind == FindingKind::beyond_site ? rules_.site_margin : -std::expm1(-limit_);
  if (kind == FindingKind::unlike_equals) finding.limit = rules_.margin;
  if (!finding.is_fault()) finding.more_runs = more_runs(place);
  return finding;
}

}  // namespace assay::results
