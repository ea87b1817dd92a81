// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bad runs that sound ones clear, metric by metric. One such run is cleared. Two of the same place are a
// habit, though each is of another metric or view.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "results/judge/fleet_attribution.hpp"
#include "results/judge/fleet_run_view.hpp"

namespace assay::results {

/// Runs of this place that are far off in any of the views.
RunView::FarOff union_of_far_off(std::span<const RunView> views, std::size_t place);

class ClearedRuns {
 public:
  void add(std::size_t place, const std::vector<std::size_t>& rounds, AttributedFinding finding);
  /// Findings of places with two bad runs and more: no number of sound runs clears them.
  std::vector<AttributedFinding> habits() const;

 private:
  struct OfPlace {
    std::set<std::size_t> rounds = {};
    std::vector<AttributedFinding> findings = {};
  };
  std::map<std::size_t, OfPlace> places_;
};

}  // namespace assay::results
