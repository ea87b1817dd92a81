// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/intermittent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "harness/core/statistics/beta_distribution.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::results {
namespace {

constexpr std::size_t fewest = 2;  // runs; one that is far off is RunView's
/// Quantiles of all places; a fault of more than one in twenty is a division of the fleet.
constexpr std::array control_quantiles{0.5, 0.9, 0.95};

/// Bins of logarithms below 0; the lowest holds all that is lower.
constexpr double bin = 1e-4;
constexpr std::size_t bins = 5000;

/// From the lowest.
std::size_t bin_of(double value) {
  return bins - 1 - std::min(bins - 1, static_cast<std::size_t>(-value / bin));
}

/// A place's values from their median, the worst first, and their rounds.
struct Ordered {
  std::vector<double> values;
  std::vector<std::size_t> rounds;
};

Ordered worst_first(const PlaceSeries& series, double median, const auto& by_round) {
  std::vector<std::pair<double, std::size_t>> pairs;
  for (std::size_t at = 0; at < series.values.size(); ++at)
    if (const std::size_t round = series.rounds[at]; by_round[round].values() > 0)
      pairs.emplace_back(series.values[at] - median, round);
  std::ranges::sort(pairs);
  Ordered ordered;
  for (const auto& [value, round] : pairs) ordered.values.push_back(value), ordered.rounds.push_back(round);
  return ordered;
}

}  // namespace

void IntermittentRuns::Tail::add(double value) {
  if (counts_.empty()) counts_.resize(bins, 0);
  ++values_;
  if (value < 0) ++counts_[bin_of(value)];
}

void IntermittentRuns::Tail::finish() { std::partial_sum(counts_.begin(), counts_.end(), counts_.begin()); }

std::size_t IntermittentRuns::Tail::at_or_below(double value) const {
  return counts_.empty() ? 0 : counts_[bin_of(value)];
}

double IntermittentRuns::Tail::after(std::size_t count) const {
  const auto found = std::ranges::upper_bound(counts_, count);
  const auto from_below = static_cast<std::size_t>(found - counts_.begin());
  return -bin * static_cast<double>(bins - from_below);
}

IntermittentRuns::IntermittentRuns(const SeriesRow& row, double margin, double error)
    : row_(row), margin_(margin), by_round_(row.rounds()) {
  collect();
  const double needed = std::log(error);
  std::vector<std::pair<std::size_t, Worst>> candidates;
  for (std::size_t place = 0; place < row_.size(); ++place)
    if (may_have(place))
      if (const Worst worst = worst_of(place, margin_); worst.log_probability < needed)
        candidates.emplace_back(place, worst);
  if (candidates.empty()) return;
  const double inflation = log_inflation();
  for (const auto& [place, worst] : candidates)
    if (worst.log_probability < inflation * needed) {
      found_.resize(row_.size(), 0);
      found_[place] = worst.runs;
    }
}

/// Whether as many of its runs as it takes are beyond the margin.
bool IntermittentRuns::may_have(std::size_t place) const {
  return std::ranges::count_if(row_[place].values, [&](double value) { return value < -margin_; }) >=
         static_cast<std::ptrdiff_t>(fewest);
}

void IntermittentRuns::collect() {
  for (std::size_t place = 0; place < row_.size(); ++place) {
    const PlaceSeries series = row_[place];
    const double median = row_.standing(place);
    for (std::size_t at = 0; at < series.values.size(); ++at)
      if (row_.is_full(series.rounds[at])) {
        by_round_[series.rounds[at]].add(series.values[at] - median);
        all_.add(series.values[at] - median);
      }
  }
  for (Tail& round : by_round_) round.finish();
  all_.finish();
}

/// `worst`: as many values as are counted, of a place with `runs`. An upper bound of how often one of another
/// place is as bad.
double IntermittentRuns::share_of_others(std::span<const double> worst, std::span<const std::size_t> rounds,
                                         std::size_t runs) const {
  const double value = worst.back();
  const auto others = static_cast<double>(all_.values() - runs);
  const std::size_t beyond = all_.at_or_below(value) - worst.size();
  double share = static_cast<double>(beyond) / others;
  if (beyond == 0) {
    share = std::pow(std::min(1.0, all_.after(worst.size()) / value), tail_degrees) / others;
    share = std::max(share, std::numeric_limits<double>::min());
  }
  double in_their_rounds = 0;
  for (const std::size_t round : rounds)
    in_their_rounds += (static_cast<double>(by_round_[round].at_or_below(value)) - 1) /
                       static_cast<double>(by_round_[round].values() * rounds.size());
  return std::max(share, in_their_rounds);
}

IntermittentRuns::Worst IntermittentRuns::worst_of(std::size_t place, double beyond) const {
  const double median = row_.standing(place);
  Worst worst;
  if (std::isnan(median)) return worst;
  const Ordered ordered = worst_first(row_[place], median, by_round_);
  const std::size_t runs = ordered.values.size();
  const std::size_t most = runs < 1 ? 0 : (runs - 1) / 2;
  for (std::size_t count = fewest; count <= most; ++count) {
    const double value = ordered.values[count - 1];
    if (value >= 0 || value + median >= -beyond) break;
    const double share =
        share_of_others(std::span(ordered.values).first(count), std::span(ordered.rounds).first(count), runs);
    const double probability =
        core::incomplete_beta(share, static_cast<double>(count), static_cast<double>(runs - count + 1));
    const double log_probability =
        std::log(std::max(probability, std::numeric_limits<double>::min()) * static_cast<double>(most));
    if (log_probability < worst.log_probability) worst = {count, log_probability};
  }
  return worst;
}

/// Divisor of the logarithms of all probabilities.
double IntermittentRuns::log_inflation() const {
  std::vector<double> logs;
  for (std::size_t place = 0; place < row_.size(); ++place)
    logs.push_back(-worst_of(place, -std::numeric_limits<double>::infinity()).log_probability);
  double inflation = 1;
  for (const double quantile : control_quantiles)
    inflation = std::max(inflation, core::quantile_of(logs, quantile) / -std::log(1 - quantile));
  return inflation;
}

RunView::FarOff IntermittentRuns::of(std::size_t place) const {
  RunView::FarOff far;
  if (found_.empty() || found_[place] == 0) return far;
  const double median = row_.standing(place);
  const Ordered ordered = worst_first(row_[place], median, by_round_);
  for (std::size_t at = 0; at < found_[place]; ++at)
    far.values.push_back(ordered.values[at] + median), far.rounds.push_back(ordered.rounds[at]);
  return far;
}

}  // namespace assay::results
