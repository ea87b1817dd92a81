// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A witness of what a rank that follows rank 0 does, point by point, so that it can keep a journal of its
// own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::core {

class Witness {
 public:
  virtual ~Witness() = default;

  /// A point begins; `benchmark` outlives it.
  virtual void begins(const Case& benchmark, const Point& point) = 0;
  virtual void ran(std::int64_t iterations, const Timing& timing) = 0;
  virtual void sampling_begins() = 0;
  virtual void sampling_ends() = 0;
  virtual void verified(const Verification& verification) = 0;
  virtual void reported(const Report& report) = 0;
  /// The point is over; `why_failed` is empty where no rank failed. After a failure it is called once more,
  /// with an empty text.
  virtual void ends(const std::string& why_failed) = 0;
  /// Rank 0 has written down everything and sends this rank home.
  virtual void dismissed() = 0;
};

}  // namespace assay::core
