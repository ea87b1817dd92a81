// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/different_points.hpp"

#include <algorithm>
#include <utility>

namespace assay::results {

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

JoinedRepetitions* DifferentPoints::find(const StoredPoint& point) {
  const auto known = places_.find(name_of(point.key, point.metric, has_value(point)));
  return known == places_.end() ? nullptr : &points_[known->second];
}

void DifferentPoints::append(DifferentPoints more) {
  for (JoinedRepetitions& one : more.points_) {
    JoinedRepetitions* const known = find(one.first());
    if (known == nullptr) {
      places_.emplace(name_, points_.size());  // the name that was looked for
      points_.push_back(std::move(one));
    } else if (has_value(one.first())) {
      known->append(one);
    }
  }
}

std::size_t DifferentPoints::count_new(const DifferentPoints& more) {
  return static_cast<std::size_t>(std::ranges::count_if(
      more.points_, [&](const JoinedRepetitions& one) { return find(one.first()) == nullptr; }));
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

}  // namespace assay::results
