// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When a blocking call has to end; an infinite limit never passes.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace assay::team {

class Deadline {
 public:
  explicit Deadline(double limit_s) : start_(std::chrono::steady_clock::now()), limit_s_(limit_s) {}

  double remaining_s() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return std::max(0.0, limit_s_ - spent.count());
  }
  bool passed() const { return remaining_s() <= 0; }

 private:
  std::chrono::steady_clock::time_point start_;
  double limit_s_;
};

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

}  // namespace assay::team
