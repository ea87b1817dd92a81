// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Each run of each place by itself: which were slower than the noise of that run explains. The noise is that
// of the places that stand with the core, in the quieter half of the runs, so that slow ones, as long as they
// are fewer than half of the fleet or slow in fewer than half of the runs, do not widen their own limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "results/judge/fleet_noise.hpp"

namespace assay::results {

class RunView {
 public:
  /// `margin`: a shift above 0; `error`: that a sound place has any run that is far off.
  RunView(const SeriesRow& row, const Core& core, double margin, double error);

  struct FarOff {
    std::vector<double> values = {};       // of runs that are far below those of its equals in the same run
    std::vector<std::size_t> rounds = {};  // of the values
    std::size_t sound_since = 0;           // runs after the last of them
    /// A single such run is cleared by sound ones after it; two are a habit.
    bool is_cleared() const {
      return values.empty() || (values.size() == 1 && sound_since >= runs_that_clear);
    }
    /// Sound runs that would clear it; nothing where none do.
    std::optional<std::int64_t> more_runs() const {
      if (values.size() > 1) return std::nullopt;
      return static_cast<std::int64_t>(runs_that_clear - sound_since);
    }
  };
  static constexpr std::size_t runs_that_clear = 3;
  FarOff far_off(std::size_t place) const;
  /// Values of all places in each run of the whole fleet.
  const std::vector<std::vector<double>>& full_runs() const { return all_; }

 private:
  void sort_by_run(const Core& core);
  void learn(double error);
  double tail_of_few(double probability) const;
  double tail_of_many(double outer, double probability) const;
  double quiet_quantile(double probability) const;

  const SeriesRow& row_;
  double margin_;
  std::vector<std::vector<double>> all_, sound_;  // by run of the whole fleet; of places with the core
  std::vector<double> unrest_;                    // by run: its noise over the usual one, from 1
  double usual_ = 0;                              // standard deviation within a run
  double far_ = 0;                                // shift, above 0
};

}  // namespace assay::results
