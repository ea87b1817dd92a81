// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rules by which fleets are judged today, for comparison: they flag units from one look, with the limits
// their users publish (docs/evidence/judges.md names them).
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {

/// (metric, unit)
using Flags = std::set<std::pair<std::size_t, std::size_t>>;

struct RuleInUse {
  std::string_view name;
  Flags (*flag)(const Fleet&);
};

/// Mean less 5 %; z below -3; a median absolute deviation of 3.5 (Iglewicz and Hoaglin 1993); the best of the
/// node less 10 %; 75 % of a reference (here the true median).
std::span<const RuleInUse> rules_in_use();

}  // namespace assay::results
