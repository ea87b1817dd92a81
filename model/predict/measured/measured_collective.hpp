// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of one collective among some processors, as `assay fit collectives` fitted it. Tabulated once: a
// search asks for millions of times, and a fitted surface takes hundreds of exponentials.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/fit/regression/segments.hpp"

namespace assay::model {

/// An end of a coefficient's interval.
enum class End { low, high };

/// That end, moved to the value where rounding left it outside. A line without slope has a bandwidth of 0,
/// which stands for one beyond its interval.
double end_of(const fit::Coefficient& of, End end);

class MeasuredCollective {
 public:
  struct Origin {
    std::string path, machine, system;  // the system: machine, source and devices per node
  };
  /// `time_us` is good at every size; the segments say which sizes were measured.
  struct Algorithm {
    std::vector<fit::Segment> segments;
    std::function<double(double bytes)> time_us;
  };
  enum class Part { latency, bandwidth };
  static constexpr double table_reaches = 4096;  // as a factor

  /// One algorithm at least, each with one segment at least.
  MeasuredCollective(Origin origin, std::vector<Algorithm> algorithms);

  /// Seconds of the fastest algorithm that was measured at this size; beyond all sizes, of the fastest by its
  /// time_us, which is the law that `assay fit evaluate` judges. Further than `table_reaches` beyond them, a
  /// straight line.
  double seconds(double bytes) const;

  /// The segment that this size lies in, or next to, of the algorithm that is the fastest there.
  const fit::Segment& segment(double bytes) const;
  double from_bytes() const { return from_bytes_; }
  double to_bytes() const { return to_bytes_; }
  const Origin& origin() const { return origin_; }

  /// A copy with this coefficient of every segment at an end of its interval.
  MeasuredCollective moved(Part part, End end) const;

 private:
  /// latency_s + bytes x s_per_byte, up to `to_bytes`.
  struct Piece {
    double to_bytes, latency_s, s_per_byte;
  };

  const Algorithm& fastest(double bytes) const;
  void tabulate();

  Origin origin_;
  std::vector<Algorithm> algorithms_;
  double from_bytes_ = 0, to_bytes_ = 0;
  std::vector<Piece> pieces_;  // ascending, the last one without an end
};

}  // namespace assay::model
