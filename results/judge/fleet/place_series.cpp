// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/place_series.hpp"

#include <cmath>
#include <limits>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/statistics/sort_numbers.hpp"

namespace assay::results {

double PlaceSeries::standing(std::size_t from) const {
  const std::span<const double> last = values.subspan(from);
  if (last.size() == 1) return last.front();
  std::vector<double> sorted(last.begin(), last.end());
  return core::median_in_place(sorted);
}

SeriesRow::SeriesRow(std::span<const RoundOfPlaces> rounds)
    : begins_((rounds.empty() ? 0 : rounds.front().values.size()) + 1) {
  for (const RoundOfPlaces& round : rounds)
    for (std::size_t place = 0; place < size(); ++place)
      begins_[place + 1] += std::isnan(round.values[place]) ? 0 : 1;
  for (std::size_t place = 0; place < size(); ++place) begins_[place + 1] += begins_[place];
  values_.resize(begins_.back()), widened_.resize(begins_.back()), rounds_.resize(begins_.back());
  std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (std::size_t place = 0; place < size(); ++place) {
      const double value = rounds[round].values[place];
      if (std::isnan(value)) continue;
      const std::uint32_t at = next[place]++;
      values_[at] = value, widened_[at] = rounds[round].widened(place);
      rounds_[at] = static_cast<std::uint32_t>(round);
    }
  put_in_order(rounds);
  if (sorted_.size() > 1) find_standings();
}

void SeriesRow::put_in_order(std::span<const RoundOfPlaces> rounds) {
  for (const RoundOfPlaces& round : rounds) {
    std::vector<double>& sorted = sorted_.emplace_back();
    sorted.reserve(round.values.size());
    for (const double value : round.values)
      if (!std::isnan(value)) sorted.push_back(value);
    sort_numbers(sorted);
  }
  while (!sorted_.empty() && sorted_.back().empty()) sorted_.pop_back();
}

void SeriesRow::find_standings() {
  standings_.reserve(size());
  for (std::size_t place = 0; place < size(); ++place) standings_.push_back((*this)[place].standing());
  for (const double standing : standings_)
    if (!std::isnan(standing)) sorted_standings_.push_back(standing);
  sort_numbers(sorted_standings_);
}

double SeriesRow::standing(std::size_t place) const {
  if (!standings_.empty()) return standings_[place];
  return runs(place) == 0 ? std::numeric_limits<double>::quiet_NaN() : values_[begins_[place]];
}

std::span<const double> SeriesRow::standings() const {
  if (!standings_.empty()) return sorted_standings_;
  return sorted_.empty() ? std::span<const double>() : sorted_.front();
}

PlaceSeries SeriesRow::operator[](std::size_t place) const {
  const std::size_t begin = begins_[place], count = runs(place);
  return {std::span(values_).subspan(begin, count), std::span(widened_).subspan(begin, count),
          std::span(rounds_).subspan(begin, count)};
}

}  // namespace assay::results
