// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Repetitions of one point joined: the median of their values, the union of their intervals, all samples
// counted.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// Of at least one value.
double median(std::vector<double> values);
/// The median of at least one number, with the union of their intervals.
Number combined(const std::vector<Number>& numbers);

/// What one repetition adds.
struct RepetitionNumbers {
  std::int64_t n = 0;
  std::size_t repetitions = 1;  // that were joined before
  bool drifting = false;
  Number headline, time_s;
  std::optional<Number> efficiency;
};

RepetitionNumbers numbers_of(const StoredPoint& point);

/// Repetitions as they are read, one after the other: of each only its numbers stay.
class JoinedRepetitions {
 public:
  explicit JoinedRepetitions(StoredPoint first);
  void add(const RepetitionNumbers& more);
  /// The first, with the numbers of all. Ends the use of this.
  StoredPoint take();

 private:
  StoredPoint first_;
  std::vector<Number> headlines_, times_, efficiencies_;
};

/// The points of a case, each once: repetitions that are ok and have a finite headline are joined, of others
/// the first stays.
class DifferentPoints {
 public:
  /// False where the point is new: then add() takes it whole.
  bool join(std::string_view key, std::string_view metric, Status status, const RepetitionNumbers& numbers);
  void add(StoredPoint first);
  std::size_t size() const { return points_.size(); }
  /// In order of first appearance. Ends the use of this.
  std::vector<StoredPoint> take();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::string_view name_of(std::string_view key, std::string_view metric, bool is_measured);

  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
  std::vector<JoinedRepetitions> points_;
  std::string name_;  // its memory is used again
};

/// Of points of one case.
std::vector<StoredPoint> different_points(std::vector<StoredPoint> points);

/// An ok point with a finite headline.
bool has_value(const StoredPoint& point);
/// The points that have one, the repetitions of one point together; order of first appearance.
std::vector<std::vector<StoredPoint>> repetitions_in(std::vector<StoredPoint> points);
/// Each of repetitions_in() as one.
std::vector<StoredPoint> combine_repetitions(std::vector<StoredPoint> points);

}  // namespace assay::results
