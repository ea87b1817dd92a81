// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The noise of one metric over the places of one level, from the fleet itself: what changes from run to run
// (its shape taken as it is, tails and skew and all) and what lasts (silicon, racks), which no number of runs
// removes. And what the runs of one place show of its loss under it, by scores: how improbable a sound one is
// to be as slow, and an interval for the loss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "results/judge/fleet/fleet_effects.hpp"
#include "results/judge/fleet/place_series.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {

/// The series of one metric of one part.
SeriesRow series_of(const FleetPart& part, std::size_t metric, const FleetLevel& level,
                    const FleetRounds& rounds);

struct MetricNoise {
  NormalScores scores;     // of values over scale
  double scale = 1;        // robust standard deviation of one value over the places, lasting part and all
  double lasting = 0;      // the standard deviation of what lasts
  double changing = 1;     // share of the scale that changes from run to run
  double degrees = 1;      // of freedom of what lasts
  double reach = 6;        // standard deviations beyond which no sound place lies by what lasts
  std::size_t rounds = 0;  // of the whole fleet; with one it is unknown what lasts
  std::size_t places = 0;
  Core core;  // of the places' values

  /// The score of a value, were its place by `shift` off its equals.
  double score(double value, double widened, double shift = 0) const {
    return scores((value - shift) / (scale * changing * widened));
  }
};

/// Robust deviations from the core beyond which a place is far off.
inline constexpr double far_off_deviations = 5;

/// The noise of each metric of the part. Places that are far off, on either side, do not shape it. Metrics
/// with few values share the shape of all of them; `shapes` are further values in standard deviations, which
/// they share too.
std::vector<MetricNoise> noise_of(const FleetPart& part, const std::vector<SeriesRow>& rows,
                                  const std::vector<double>& shapes = {});

/// The values of the part's first metrics, each in its standard deviations; some of them, where there are
/// many.
std::vector<double> shape_of(const FleetPart& part, const std::vector<SeriesRow>& rows);

/// How scores of several runs are joined. The sum is best where noise is normal; the least bad run is where
/// it has heavy tails or is skewed, and runs are few.
enum class Joined { sum, least_bad };

/// The last runs of a place under the noise of its metric.
class PlaceEvidence {
 public:
  PlaceEvidence(const MetricNoise& noise, const PlaceSeries& series)
      : noise_(noise), series_(series), from_(0) {}
  PlaceEvidence(const MetricNoise& noise, const PlaceSeries& series, std::size_t last)
      : noise_(noise), series_(series), from_(series.values.size() - std::min(last, series.values.size())) {}

  std::size_t runs() const { return series_.values.size() - from_; }
  double standing() const { return series_.standing(from_); }
  /// Sum of the scores over the root of their number, were the place by `shift` off its equals: standard
  /// normal.
  double joined_score(double shift) const;
  /// Probability of runs as slow as these, were the place by `shift` off.
  double as_slow(Joined how, double shift) const;
  /// Probability that a place as good as the others, which spread by what lasts, is as slow as this.
  double as_slow_as_sound(Joined how) const;
  /// The shift at which joined_score() is `score`; nothing where there are no runs.
  std::optional<double> shift_of(double score) const;

 private:
  double worst_lasting(Joined how, const MetricNoise& noise) const;

  const MetricNoise& noise_;
  PlaceSeries series_;
  std::size_t from_;
};

/// The loss that `runs` runs show at this error in nine of ten cases, and the better way to join them.
struct Detection {
  Joined how = Joined::sum;
  double loss = 0;
};
Detection detection_of(const MetricNoise& noise, std::size_t runs, double error);

/// Standard deviations beyond which no sound place lies by what lasts.
double lasting_reach(double degrees);

/// How far out sound places may lie by what lasts, at this error.
double lasting_limit(const MetricNoise& noise, double error);

}  // namespace assay::results
