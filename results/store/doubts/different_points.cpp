// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/different_points.hpp"

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

bool DifferentPoints::append(DifferentPoints more, std::size_t most) {
  std::vector<std::size_t> places;  // of each of `more`
  std::size_t size = points_.size();
  for (const JoinedRepetitions& one : more.points_) {
    const StoredPoint& point = one.first();
    const auto known = places_.find(name_of(point.key, point.metric, has_value(point)));
    places.push_back(known == places_.end() ? size++ : known->second);
  }
  if (size > most) return false;
  for (std::size_t at = 0; at < places.size(); ++at) {
    JoinedRepetitions& one = more.points_[at];
    const StoredPoint& point = one.first();
    if (places[at] == points_.size()) {
      places_.emplace(name_of(point.key, point.metric, has_value(point)), places[at]);
      points_.push_back(std::move(one));
    } else if (has_value(point)) {
      points_[places[at]].append(one);
    }
  }
  return true;
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
