// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Places that are slow in some of their runs, which neither the median of all nor any one run shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/judge/fleet/fleet_row_judge.hpp"
#include "results/judge/fleet/place_series.hpp"

namespace assay::results {

/// The k worst runs of a place against how often runs of others are as bad, for every k below half of its
/// runs. Values are counted from the median of their place: what lasts is judged elsewhere. Without faults
/// they are exchangeable between places; where they are not (noise of its own, noise that lasts for some
/// rounds), all probabilities are corrected by what they are too small at the quantiles of all places, as by
/// genomic control (Devlin and Roeder 1999).
class IntermittentRuns {
 public:
  /// `margin`: a shift above 0, which every such run is beyond. `error`: that a sound place has any.
  IntermittentRuns(const SeriesRow& row, double margin, double error);

  /// Those of this place; no values where it has none.
  RunView::FarOff of(std::size_t place) const;

 private:
  struct Worst {
    std::size_t runs = 0;
    double log_probability = 0;
  };
  /// How many values are at or below another, which it rounds up a little: sorting them all would take longer
  /// than the rest.
  class Tail {
   public:
    void add(double value);
    void finish();
    std::size_t values() const { return values_; }
    std::size_t at_or_below(double value) const;
    /// The value that so many are below, or a little less.
    double after(std::size_t count) const;

   private:
    std::vector<std::uint32_t> counts_;  // by bin, the lowest first; sums of all below once finished
    std::size_t values_ = 0;
  };

  void collect();
  bool may_have(std::size_t place) const;
  Worst worst_of(std::size_t place, double beyond) const;
  double share_of_others(std::span<const double> worst, std::span<const std::size_t> rounds,
                         std::size_t runs) const;
  double log_inflation() const;

  const SeriesRow& row_;
  double margin_;
  std::vector<Tail> by_round_;  // without values: a round of a few
  Tail all_ = {};
  std::vector<std::size_t> found_ = {};  // by place: how many of its worst runs; empty where no place has any
};

}  // namespace assay::results
