// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Repetitions of one point joined: the median of their values, the union of their intervals, all samples
// counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// The median of at least one number, with the union of their intervals.
Number combined(const std::vector<Number>& numbers);

/// Numbers that one repetition adds.
struct RepetitionNumbers {
  std::int64_t n = 0;
  std::size_t repetitions = 1;  // that were joined before
  bool drifting = false;
  Number headline, time_s;
  std::optional<Number> efficiency;
};

RepetitionNumbers numbers_of(const StoredPoint& point);
void set_numbers(StoredPoint& point, const RepetitionNumbers& numbers);

/// Repetitions as they are read, one after the other: of each only its numbers stay.
class JoinedRepetitions {
 public:
  explicit JoinedRepetitions(StoredPoint first);
  void add(const RepetitionNumbers& more);
  /// Those that were read after these.
  void append(const JoinedRepetitions& more);
  const StoredPoint& first() const { return first_; }
  /// The first, with the numbers of all. Ends the use of this.
  StoredPoint take();

 private:
  void count(std::int64_t n, std::size_t repetitions, bool drifting);

  StoredPoint first_;
  std::vector<Number> headlines_, times_, efficiencies_;
};

/// Whether a point is ok and has a finite headline.
bool has_value(Status status, double headline);
bool has_value(const StoredPoint& point);
/// The points that have one, the repetitions of one point together; order of first appearance.
std::vector<std::vector<StoredPoint>> repetitions_in(std::vector<StoredPoint> points);
/// Joins the repetitions of one point: at least one, each with a value.
StoredPoint join_repetitions(std::vector<StoredPoint> repetitions);
/// Each of repetitions_in() as one.
std::vector<StoredPoint> combine_repetitions(std::vector<StoredPoint> points);

}  // namespace assay::results
