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
  static constexpr std::size_t fewest = 12, fine = 60, coarse = 30;

  explicit DriftBlocks(std::span<const double> times_s);

  /// False: the samples are too few for as long as they are correlated.
  bool enough() const { return fine_.medians.size() >= fewest; }
  std::size_t count() const { return fine_.medians.size(); }
  double correlation_time() const { return correlation_time_; }  // in samples

  /// Interval of a shape that is given. `error`: of each bound.
  DriftInterval interval(const DriftShape& shape, double error) const;
  /// The shape that leaves least of the scatter, of the ramp and all steps between two blocks: a step looks
  /// like a larger ramp, and a step elsewhere like a smaller one.
  DriftShape best() const { return best_; }
  /// Interval of best(), by all blocks; `error` is shared by the shapes that it was chosen from.
  DriftInterval interval_of_best(double error) const;

 private:
  struct Medians {
    std::vector<double> medians = {};
    double widening = 1;  // of intervals: neighbours are still correlated
  };
  Medians medians_of(std::span<const double> times_s, std::size_t blocks) const;
  DriftInterval interval(const Medians& of, const DriftShape& shape, double error) const;

  Medians fine_, coarse_;
  DriftShape best_;
  double level_ = 1, correlation_time_ = 1;
};

}  // namespace assay::results
