// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When there are enough samples: the interval of the reported quantile is narrow enough, or the budget ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "harness/core/measure/measure.hpp"

namespace assay::core {

/// The distance between two 95 % intervals of the same quantile, in standard errors.
double trend_of(const QuantileInterval& early, const QuantileInterval& late);

inline constexpr std::size_t fewest_to_compare = 8;
inline constexpr std::int64_t fewest_to_tell_moving = 8;  // samples of a warm-up
inline constexpr double suspected_trend =
    2.0;  // worth more warm-up: one look in 20 is wrong, which costs samples only
inline constexpr double certain_trend = 3.3;  // worth a flag on the record: one in 1,000

/// True when the later half of the samples certainly lies off the earlier half.
bool drifts(std::span<const double> samples, double quantile);

class StoppingRule {
 public:
  /// Uses the whole budget, however narrow the interval, if samples still moved when the warm-up ended: the
  /// movement may continue. A GPU that has not reached its power limit yet is steady, and too fast.
  StoppingRule(const MeasureOptions& options, const Warmup& warmup)
      : options_(options),
        still_moves_(!warmup.last_moving.empty() && warmup.samples >= fewest_to_tell_moving),
        next_look_(options.min_samples) {}

  /// Cheap, called after every sample: the budget or the count has ended, or the samples deserve a look.
  bool due(std::int64_t n, double elapsed_s) const {
    return n >= next_look_ || n >= options_.max_samples || elapsed_s >= options_.max_seconds;
  }

  /// Looks at the samples; a reason to stop, or none. Looks are spaced by a factor of 1.5 and more,
  /// because a rule that looks after every sample stops on a lucky one and then covers less than it says.
  std::optional<StopReason> look(std::span<const double> samples, double elapsed_s);

  /// The interval that the last look() found; only meaningful after one.
  const QuantileInterval& interval() const { return interval_; }

 private:
  MeasureOptions options_;
  bool still_moves_;
  std::int64_t next_look_;
  QuantileInterval interval_;
};

}  // namespace assay::core
