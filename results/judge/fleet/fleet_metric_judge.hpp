// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Judges one metric of one level: each place, by the way to look at the metric that detects the smallest
// loss.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_attribution.hpp"
#include "results/judge/fleet/fleet_row_judge.hpp"

namespace assay::results {

/// One part with all that is needed to judge its metrics. `judges` refer to `rows` and `noise`: move it,
/// never copy it.
struct JudgedPart {
  const FleetPart* part = nullptr;
  std::vector<SeriesRow> rows = {};
  std::vector<MetricNoise> noise = {};
  std::vector<RowJudge> judges = {};
  PlaceVariances scatter = {};  // over the runs of each place, in all metrics together
};

/// A place with bad runs that its sound ones clear.
struct ClearedPlace {
  std::size_t place = 0;
  std::vector<std::size_t> rounds = {};
  AttributedFinding finding = {};
};

struct MetricJudgement {
  std::optional<FleetLook> look = {};  // none where no place has a run
  std::optional<FleetUnlike> unlike = {};
  std::vector<AttributedFinding> found = {};  // in the order of places, as are the others
  std::vector<ClearedPlace> cleared = {};
  std::vector<std::string> too_fast = {};
  struct Undecided {
    std::size_t place = 0;
    bool in_sight = false;
  };
  std::vector<Undecided> undecided = {};
};

/// `ways` to look at the places of `level`, the first against all of the fleet; `for_site`: whether what the
/// site tolerates counts, too.
MetricJudgement judge_metric(const LevelParts& level, const std::vector<JudgedPart>& ways, std::size_t metric,
                             const FleetRules& rules, const CellErrors& errors, bool for_site);

}  // namespace assay::results
