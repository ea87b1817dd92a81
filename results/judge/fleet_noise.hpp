// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The noise of one metric over the places of one level, from the fleet itself: what changes from run to run
// (its shape taken as it is, tails and skew and all) and what lasts (silicon, racks), which no number of runs
// removes.
#pragma once

#include <cstddef>
#include <vector>

#include "results/judge/fleet_effects.hpp"
#include "results/judge/normal_scores.hpp"
#include "results/judge/robust_spread.hpp"

namespace assay::results {

/// What one place measured, in the order of its runs.
struct PlaceSeries {
  std::vector<double> values;
  std::vector<double> widened;           // by how much the centre of that round adds to the noise, from 1
  std::vector<std::size_t> rounds = {};  // their numbers
};

/// One metric of one part: the series of all places.
using SeriesRow = std::vector<PlaceSeries>;
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
  Core core;  // of where the places stand

  /// The score of a value, were its place by `shift` off its equals.
  double score(double value, double widened, double shift = 0) const {
    return scores((value - shift) / (scale * changing * widened));
  }
};

/// Robust deviations from the core beyond which a place is far off.
inline constexpr double far_off_deviations = 5;

/// Of each metric of the part. Places that stand far off, on either side, do not shape the noise. Metrics
/// with few values share the shape of all of them; `shapes` are further values in standard deviations, which
/// they share too.
std::vector<MetricNoise> noise_of(const FleetPart& part, const std::vector<SeriesRow>& rows,
                                  const std::vector<double>& shapes = {});

/// The values of the part's first metrics, each in its standard deviations; some of them, where there are
/// many.
std::vector<double> shape_of(const FleetPart& part, const std::vector<SeriesRow>& rows);

}  // namespace assay::results
