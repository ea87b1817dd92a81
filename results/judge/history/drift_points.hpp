// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The series of samples that may drift: the points of all are held by number, the samples of one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/judge/verdict/shared_texts.hpp"
#include "results/record/record.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Times of the repetitions of one point in one run, in the order taken.
struct DriftSeries {
  std::string run, unit, kind, metric, origin;
  std::vector<double> times_s;
};

class DriftPoints {
 public:
  /// `filter` as in points_in_order().
  DriftPoints(const Store& store, const std::string& filter);

  std::size_t series() const { return series_; }
  std::size_t together() const { return together_; }  // points left out: of a burn-in's rounds together
  /// Calls `take` with each series, by run, unit, kind and metric; a series lasts for the call.
  void each_series(const std::function<void(const DriftSeries& series)>& take) const;

 private:
  /// Texts by number, then by rank.
  struct Point {
    std::uint32_t run = 0, unit = 0, metric = 0, order = 0;  // order: as measured, among all
    std::int64_t id = 0;
    bool is_gpu = false;
    Origin origin = Origin::measured;
  };
  static bool are_of_one_series(const Point& one, const Point& other);

  void read(const std::string& filter);
  void sort();
  void name(std::span<const Point> points, DriftSeries& series) const;

  const Store& store_;
  SharedTexts texts_;
  std::vector<Point> points_;
  std::size_t series_ = 0, together_ = 0;
};

}  // namespace assay::results
