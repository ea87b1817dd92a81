// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_attribution.hpp"

#include <algorithm>
#include <tuple>

namespace assay::results {
namespace {

/// Places with fewer children are moved by one of them.
constexpr std::size_t few_children = 4;

bool is_common(const AttributedFinding& one) { return one.part->common; }

/// The same metric, or a group that holds it.
bool covers(const AttributedFinding& wide, const AttributedFinding& one) {
  return wide.finding.metric == one.finding.metric || (is_common(wide) && (wide.group.empty() || wide.group == one.group));
}

bool holds(const AttributedFinding& wide, const AttributedFinding& one) {
  const auto& outer = wide.level->members[wide.place];
  const auto& inner = one.level->members[one.place];
  return outer.size() > inner.size() && std::ranges::includes(outer, inner);
}

bool explains(const AttributedFinding& why, const AttributedFinding& one, double margin) {
  if (!why.finding.is_fault() || &why == &one || !covers(why, one)) return false;
  const bool same = why.level == one.level && why.place == one.place;
  const double rest = one.finding.loss - why.finding.loss;
  if (same) return is_common(why) && !is_common(one) && rest < margin;
  if (holds(why, one)) return !one.part->beside && rest < margin;
  return one.level->children[one.place] < few_children && holds(one, why) && rest <= 0;
}

}  // namespace

std::vector<FleetFinding> attributed(std::vector<AttributedFinding> found, double margin) {
  std::vector<FleetFinding> kept;
  for (const AttributedFinding& one : found)
    if (std::ranges::none_of(found, [&](const AttributedFinding& why) { return explains(why, one, margin); }))
      kept.push_back(one.finding);
  std::ranges::stable_sort(kept, [](const FleetFinding& one, const FleetFinding& other) {
    return std::tuple(!one.is_fault(), -one.loss) < std::tuple(!other.is_fault(), -other.loss);
  });
  return kept;
}

}  // namespace assay::results
