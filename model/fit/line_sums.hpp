// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Relative least squares of time = latency + slope x size, from sums that can be subtracted: any run of
// sorted points.
#pragma once

#include "model/fit/segments.hpp"

namespace assay::model::fit {

struct Line {
  double latency_us = 0, us_per_byte = 0;
  double squares = 0;  // of the weighted relative errors
};

class LineSums {
 public:
  void add(const TimedSize& point, double weight);
  LineSums operator-(const LineSums& earlier) const;

  /// Neither coefficient is below 0.
  Line line() const;

 private:
  double weight_ = 0, size_ = 0, size_size_ = 0, time_ = 0, size_time_ = 0, time_time_ = 0;
};

}  // namespace assay::model::fit
