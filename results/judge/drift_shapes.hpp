// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far the samples of a run move from its beginning to its end, whatever the shape: a ramp, a step, a slow
// start. Each shape has an interval by ranks: of Kendall's statistic for the ramp (Sen 1968, J. Am. Stat.
// Assoc. 63), of Mann and Whitney's for a step (Hodges and Lehmann 1963, Ann. Math. Stat. 34), so that none
// rests on the shape of the noise.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::results {

struct DriftShape {
  std::optional<double> step_at = {};  // share of the samples before it; a ramp over all of them where none

  /// "over the run", "at 67 % of the run"
  std::string where() const;
};

/// A ramp, and steps that leave a sixth of the samples at least on each side.
std::span<const DriftShape> usual_drift_shapes();

/// Relative to the median of all samples; positive: slower at the end.
struct DriftInterval {
  double value = 0;
  std::optional<double> lower = {}, upper = {};  // none: too few blocks for this error
};

/// The samples of one series, in the order taken, as medians of blocks of at least one correlation time.
class DriftBlocks {
 public:
  static constexpr std::size_t fewest = 12, most = 60;

  explicit DriftBlocks(std::span<const double> times_s);

  /// False: the samples are too few for as long as they are correlated.
  bool enough() const { return medians_.size() >= fewest; }
  std::size_t count() const { return medians_.size(); }
  double correlation_time() const { return correlation_time_; }  // in samples
  /// `error`: of each bound. Of a ramp only where that is the shape: a step looks like a larger ramp.
  DriftInterval interval(const DriftShape& shape, double error) const;
  /// The shape that leaves least of the scatter, of the ramp and all steps between two blocks.
  DriftShape best() const;
  /// Among how many shapes best() chooses.
  std::size_t choices() const;

 private:
  std::vector<double> medians_;
  double level_ = 1, correlation_time_ = 1, widening_ = 1;
};

}  // namespace assay::results
