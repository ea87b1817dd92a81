// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/repetitions.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"

namespace assay::results {
Number combined(const std::vector<Number>& numbers) {
  Number all = numbers.front();
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const Number& number : numbers) {
    values.push_back(number.value);
    if (all.lower && number.lower) all.lower = std::min(*all.lower, *number.lower);
    if (all.upper && number.upper) all.upper = std::max(*all.upper, *number.upper);
  }
  all.value = core::median(values);
  return all;
}

RepetitionNumbers numbers_of(const StoredPoint& point) {
  return {.n = point.n,
          .repetitions = point.repetitions,
          .drifting = point.drifting,
          .headline = point.headline,
          .time_s = {point.time_s, point.lower_s, point.upper_s},
          .efficiency = point.efficiency};
}

void set_numbers(StoredPoint& point, const RepetitionNumbers& numbers) {
  point.n = numbers.n;
  point.repetitions = numbers.repetitions;
  point.drifting = numbers.drifting;
  point.headline = numbers.headline;
  point.time_s = numbers.time_s.value;
  point.lower_s = *numbers.time_s.lower;
  point.upper_s = *numbers.time_s.upper;
  point.efficiency = numbers.efficiency;
}

JoinedRepetitions::JoinedRepetitions(StoredPoint first) : first_(std::move(first)) {
  const RepetitionNumbers own = numbers_of(first_);
  headlines_.push_back(own.headline);
  times_.push_back(own.time_s);
  if (own.efficiency) efficiencies_.push_back(*own.efficiency);
}

void JoinedRepetitions::count(std::int64_t n, std::size_t repetitions, bool drifting) {
  first_.n += n;
  first_.repetitions += repetitions;
  first_.drifting = first_.drifting || drifting;
}

void JoinedRepetitions::add(const RepetitionNumbers& more) {
  count(more.n, more.repetitions, more.drifting);
  headlines_.push_back(more.headline);
  times_.push_back(more.time_s);
  if (more.efficiency) efficiencies_.push_back(*more.efficiency);
}

void JoinedRepetitions::append(const JoinedRepetitions& more) {
  count(more.first_.n, more.first_.repetitions, more.first_.drifting);
  headlines_.insert(headlines_.end(), more.headlines_.begin(), more.headlines_.end());
  times_.insert(times_.end(), more.times_.begin(), more.times_.end());
  efficiencies_.insert(efficiencies_.end(), more.efficiencies_.begin(), more.efficiencies_.end());
}

StoredPoint JoinedRepetitions::take() {
  if (headlines_.size() == 1) return std::move(first_);
  first_.headline = combined(headlines_);
  const Number time = combined(times_);
  first_.time_s = time.value;
  first_.lower_s = *time.lower;
  first_.upper_s = *time.upper;
  if (!efficiencies_.empty()) first_.efficiency = combined(efficiencies_);
  return std::move(first_);
}

bool has_value(Status status, double headline) { return status == Status::ok && std::isfinite(headline); }

bool has_value(const StoredPoint& point) { return has_value(point.status, point.headline.value); }

std::vector<std::vector<StoredPoint>> repetitions_in(std::vector<StoredPoint> points) {
  std::unordered_map<std::string, std::size_t> places(points.size());
  std::vector<std::vector<StoredPoint>> groups;
  for (StoredPoint& point : points) {
    if (!has_value(point)) continue;
    const auto [place, fresh] =
        places.try_emplace(point.case_name + '\n' + point.metric + '\n' + point.key, groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(std::move(point));
  }
  return groups;
}

StoredPoint join_repetitions(std::vector<StoredPoint> repetitions) {
  JoinedRepetitions joined(std::move(repetitions.front()));
  for (std::size_t at = 1; at < repetitions.size(); ++at) joined.add(numbers_of(repetitions[at]));
  return joined.take();
}

std::vector<StoredPoint> combine_repetitions(std::vector<StoredPoint> points) {
  std::vector<StoredPoint> all;
  for (auto& group : repetitions_in(std::move(points))) all.push_back(join_repetitions(std::move(group)));
  return all;
}

}  // namespace assay::results
