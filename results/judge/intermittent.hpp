// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Places that are slow in some of their runs, which neither the median of all nor any one run shows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/judge/fleet_row_judge.hpp"
#include "results/judge/place_series.hpp"

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

  void collect();
  Worst worst_of(std::size_t place, double beyond) const;
  double share_of_others(std::span<const double> worst, std::span<const std::size_t> rounds,
                         std::size_t runs) const;
  double log_inflation() const;

  const SeriesRow& row_;
  double margin_;
  std::vector<std::vector<double>> by_round_;  // in order of size; empty: a round of a few
  std::vector<double> all_ = {};               // in order of size
  std::vector<std::size_t> found_ = {};  // by place: how many of its worst runs; empty where no place has any
};

}  // namespace assay::results
