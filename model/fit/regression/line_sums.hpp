// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Relative least squares of time = latency + slope x size, from sums that can be subtracted: any run of
// sorted points.
#pragma once

#include "model/fit/regression/segments.hpp"

namespace assay::model::fit {

struct Line {
  double latency_us = 0, us_per_byte = 0;
  double squares = 0;  // of the weighted relative errors
};

/// The line without bounds on its coefficients, and their standard errors; infinite where the points
/// determine none.
struct LineSpread {
  double latency_us = 0, us_per_byte = 0;
  double latency_error_us = 0, slope_error = 0;
  double freedom = 0;  // degrees: weighted points less two
};

class LineSums {
 public:
  void add(const TimedSize& point, double weight);
  LineSums operator-(const LineSums& earlier) const;

  /// The line of which neither coefficient is below 0.
  Line line() const;
  LineSpread spread() const;
  /// Errors of coefficients whose points have a relative error of 1 each.
  LineSpread unit_spread() const;

 private:
  double determinant() const { return weight_ * size_size_ - size_ * size_; }
  bool is_determined() const { return determinant() > 1e-10 * weight_ * size_size_; }
  /// The line without bounds on its coefficients, and without squares. Needs is_determined().
  Line unbounded() const;
  /// The sum of squares of any line's weighted relative errors.
  double squares_of(double latency_us, double us_per_byte) const;

  double weight_ = 0, size_ = 0, size_size_ = 0, time_ = 0, size_time_ = 0, time_time_ = 0;
};

}  // namespace assay::model::fit
