// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_cleared_runs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay::results {

RunView::FarOff union_of_far_off(std::span<const RunView> views, std::size_t place) {
  RunView::FarOff all;
  for (const RunView& view : views) {
    const RunView::FarOff far = view.far_off(place);
    for (std::size_t at = 0; at < far.values.size(); ++at)
      if (std::ranges::find(all.rounds, far.rounds[at]) == all.rounds.end())
        all.rounds.push_back(far.rounds[at]), all.values.push_back(far.values[at]);
  }
  return all;
}

void ClearedRuns::add(std::size_t place, const std::vector<std::size_t>& rounds, AttributedFinding finding) {
  OfPlace& of_place = places_[place];
  of_place.rounds.insert(rounds.begin(), rounds.end());
  of_place.findings.push_back(std::move(finding));
}

std::vector<AttributedFinding> ClearedRuns::habits() const {
  std::vector<AttributedFinding> found;
  for (const auto& [place, of_place] : places_) {
    if (of_place.rounds.size() < 2) continue;
    for (AttributedFinding one : of_place.findings) {
      one.finding.more_runs = std::nullopt;
      found.push_back(std::move(one));
    }
  }
  return found;
}

}  // namespace assay::results
