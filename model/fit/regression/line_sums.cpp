// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/line_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::model::fit {

void LineSums::add(const TimedSize& point, double weight) {
  const double w = weight / (point.time_us * point.time_us);
  weight_ += w;
  size_ += w * point.size_bytes;
  size_size_ += w * point.size_bytes * point.size_bytes;
  time_ += w * point.time_us;
  size_time_ += w * point.size_bytes * point.time_us;
  time_time_ += weight;
}

LineSums LineSums::operator-(const LineSums& earlier) const {
  LineSums rest = *this;
  rest.weight_ -= earlier.weight_;
  rest.size_ -= earlier.size_;
  rest.size_size_ -= earlier.size_size_;
  rest.time_ -= earlier.time_;
  rest.size_time_ -= earlier.size_time_;
  rest.time_time_ -= earlier.time_time_;
  return rest;
}

double LineSums::squares_of(double latency_us, double us_per_byte) const {
  const double a = latency_us, b = us_per_byte;
  return std::max(0.0, time_time_ - 2 * a * time_ - 2 * b * size_time_ + a * a * weight_ + 2 * a * b * size_ +
                           b * b * size_size_);
}

Line LineSums::unbounded() const {
  return {.latency_us = (size_size_ * time_ - size_ * size_time_) / determinant(),
          .us_per_byte = (weight_ * size_time_ - size_ * time_) / determinant()};
}

Line LineSums::line() const {
  const bool determined = is_determined();
  Line line = determined ? unbounded() : Line{};
  if (!determined || line.us_per_byte < 0) line.latency_us = time_ / weight_, line.us_per_byte = 0;
  if (line.latency_us < 0) line.latency_us = 0, line.us_per_byte = size_time_ / size_size_;
  line.squares = squares_of(line.latency_us, line.us_per_byte);
  return line;
}

LineSpread LineSums::unit_spread() const {
  constexpr double endless = std::numeric_limits<double>::infinity();
  if (!is_determined()) return {.latency_error_us = endless, .slope_error = endless};
  const Line line = unbounded();
  return {.latency_us = line.latency_us,
          .us_per_byte = line.us_per_byte,
          .latency_error_us = std::sqrt(size_size_ / determinant()),
          .slope_error = std::sqrt(weight_ / determinant()),
          .freedom = time_time_ - 2};
}

LineSpread LineSums::spread() const {
  LineSpread spread = unit_spread();
  if (spread.freedom <= 0)
    spread.latency_error_us = spread.slope_error = std::numeric_limits<double>::infinity();
  if (std::isinf(spread.slope_error)) return spread;
  const double deviation = std::sqrt(squares_of(spread.latency_us, spread.us_per_byte) / spread.freedom);
  spread.latency_error_us *= deviation;
  spread.slope_error *= deviation;
  return spread;
}

}  // namespace assay::model::fit
