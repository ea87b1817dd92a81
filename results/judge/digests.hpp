// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The judgement of digests: a unit whose results differ in a bit from those of two agreeing equals fails.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet_store.hpp"
#include "results/store/digests.hpp"

namespace assay::results {

struct DigestFindings {
  std::vector<FailedPoint> faults;     // units that differ from agreeing equals, or from themselves
  std::vector<std::string> undecided;  // points whose equals, though enough, have no majority
};

/// Groups of units of this level. Too few equals are neither.
DigestFindings judge_digests(const std::vector<DigestGroup>& groups, const std::string& unit_level);

/// Of every probe of silent corruption in the store: faults join the failed points of their fleet, the
/// undecided what it lacks.
void add_digest_findings(const Store& store, std::vector<MeasuredFleet>& fleets);

}  // namespace assay::results
