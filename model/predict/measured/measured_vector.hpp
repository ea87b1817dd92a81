// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of one vector kernel and pass against bytes of one of its tensors, as `assay fit vector` fitted it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/regression/segments.hpp"
#include "model/predict/system/system.hpp"

namespace assay::model {

struct MeasuredVector {
  std::string path, machine;
  std::string name;                    // of the curve
  std::vector<fit::Segment> segments;  // one at least

  /// Seconds: beyond both ends the line of the segment there, below the first never less than its share of
  /// bytes.
  double seconds(double bytes) const;
  const fit::Segment& segment(double bytes) const;
  double from_bytes() const { return segments.front().from_bytes; }
  double to_bytes() const { return segments.back().to_bytes; }
};

/// The name of a curve: "cuda.softmax gpu=0 dtype=bf16 pass=forward columns=4096".
struct VectorName {
  std::string kernel, dtype, pass, columns;
  std::string rest;  // back end and every other condition: where they differ, two curves are not one kernel

  explicit VectorName(const std::string& curve);
};

/// The curves of kernels whose dtype is `dtype`, with calls of this width. Throws a usage Error naming the
/// file where one kernel, pass and length of rows was measured under two conditions.
std::vector<VectorCurve> vector_curves(const std::string& path, const std::string& machine,
                                       const std::map<std::string, std::vector<fit::Segment>>& fitted,
                                       const std::string& dtype, double width);

}  // namespace assay::model
