// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/repetitions.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "harness/core/in_order.hpp"

namespace assay::results {
namespace {

bool has_value(Status status, double headline) { return status == Status::ok && std::isfinite(headline); }

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Number combined(const std::vector<Number>& numbers) {
  Number all = numbers.front();
  std::vector<double> values;
  for (const Number& number : numbers) {
    values.push_back(number.value);
    if (all.lower && number.lower) all.lower = std::min(*all.lower, *number.lower);
    if (all.upper && number.upper) all.upper = std::max(*all.upper, *number.upper);
  }
  all.value = median(values);
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

JoinedRepetitions::JoinedRepetitions(StoredPoint first) : first_(std::move(first)) {
  const RepetitionNumbers own = numbers_of(first_);
  headlines_.push_back(own.headline);
  times_.push_back(own.time_s);
  if (own.efficiency) efficiencies_.push_back(*own.efficiency);
}

void JoinedRepetitions::add(const RepetitionNumbers& more) {
  first_.n += more.n;
  first_.repetitions += more.repetitions;
  first_.drifting = first_.drifting || more.drifting;
  headlines_.push_back(more.headline);
  times_.push_back(more.time_s);
  if (more.efficiency) efficiencies_.push_back(*more.efficiency);
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

std::string_view DifferentPoints::name_of(std::string_view key, std::string_view metric, bool is_measured) {
  name_.assign(1, is_measured ? '+' : '-').append(metric).append(1, '\n').append(key);
  return name_;
}

bool DifferentPoints::join(std::string_view key, std::string_view metric, Status status,
                           const RepetitionNumbers& numbers) {
  const bool is_measured = has_value(status, numbers.headline.value);
  const auto known = places_.find(name_of(key, metric, is_measured));
  if (known == places_.end()) return false;
  if (is_measured) points_[known->second].add(numbers);
  return true;
}

void DifferentPoints::add(StoredPoint first) {
  places_.emplace(name_of(first.key, first.metric, has_value(first)), points_.size());
  points_.emplace_back(std::move(first));
}

std::vector<StoredPoint> DifferentPoints::take() {
  std::vector<StoredPoint> points;
  points.reserve(points_.size());
  for (JoinedRepetitions& one : points_) points.push_back(one.take());
  return points;
}

std::vector<StoredPoint> different_points(std::vector<StoredPoint> points) {
  DifferentPoints different;
  for (StoredPoint& point : points)
    if (!different.join(point.key, point.metric, point.status, numbers_of(point)))
      different.add(std::move(point));
  return different.take();
}

bool has_value(const StoredPoint& point) { return has_value(point.status, point.headline.value); }

std::vector<std::vector<StoredPoint>> repetitions_in(std::vector<StoredPoint> points) {
  core::InOrder<std::tuple<std::string, std::string, std::string>, std::vector<StoredPoint>> by_key;
  for (StoredPoint& point : points)
    if (has_value(point)) by_key[{point.case_name, point.key, point.metric}].push_back(std::move(point));
  std::vector<std::vector<StoredPoint>> groups;
  for (auto& [key, group] : by_key.take()) groups.push_back(std::move(group));
  return groups;
}

std::vector<StoredPoint> combine_repetitions(std::vector<StoredPoint> points) {
  std::vector<StoredPoint> all;
  for (auto& group : repetitions_in(std::move(points))) {
    JoinedRepetitions joined(std::move(group.front()));
    for (std::size_t at = 1; at < group.size(); ++at) joined.add(numbers_of(group[at]));
    all.push_back(joined.take());
  }
  return all;
}

}  // namespace assay::results
