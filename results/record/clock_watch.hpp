// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether the time of day went back or jumped ahead in a journal: records are in the order they were made,
// and how long a point took is known by another clock, which cannot be set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/record/json/point_line.hpp"

namespace assay::results {

/// Seconds since 1970 of "2026-01-02T03:04:05.678Z"; nothing for text of another form.
std::optional<double> seconds_of(std::string_view iso_time);

class ClockWatch {
 public:
  /// Each returns what is wrong, in one line, the first time in each process that something is.
  std::optional<std::string> see(const ContextRecord& context);
  template <class Point>  // PointRow or PointRecord
  std::optional<std::string> see(const Point& point) {
    return see(point.started, point.elapsed_s, "a point started at");
  }
  std::optional<std::string> see(const EndRecord& end);

 private:
  std::optional<std::string> see(std::string_view when, double elapsed_s, const char* what);

  std::string run_;
  std::string earlier_;                 // as written
  std::optional<double> not_before_s_;  // what follows cannot be earlier than this
  bool reported_ = false;
};

}  // namespace assay::results
