// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/point_sorts.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_sorts = 65536;

}  // namespace

bool PointSorts::is_of(const Kept& kept, std::int64_t case_id, const FleetPoint& point) {
  const PointEvidence& evidence = point.evidence;
  return kept.case_id == case_id && kept.key == point.key && kept.sort.metric == evidence.metric &&
         kept.sort.unit == evidence.unit && kept.sort.definition == evidence.definition;
}

/// Runs of a fleet measure the same points in the same order: the next sort is known before it is looked for.
const PointSort* PointSorts::of(std::int64_t case_id, const FleetPoint& point) {
  Kept* const expected = latest_ == nullptr ? nullptr : latest_->next;
  Kept* const found =
      expected != nullptr && is_of(*expected, case_id, point) ? expected : find(case_id, point);
  if (found == nullptr) return nullptr;
  if (latest_ != nullptr) latest_->next = found;
  latest_ = found;
  return &found->sort;
}

PointSorts::Kept* PointSorts::find(std::int64_t case_id, const FleetPoint& point) {
  const PointEvidence& evidence = point.evidence;
  key_.assign(reinterpret_cast<const char*>(&case_id), sizeof case_id);
  for (const std::string* part : {&point.key, &evidence.metric, &evidence.unit, &evidence.definition})
    key_.append(*part).push_back('\0');
  if (const auto known = sorts_.find(key_); known != sorts_.end()) return known->second.get();
  if (sorts_.size() == most_sorts) return nullptr;
  return sorts_
      .emplace(key_, std::make_unique<Kept>(
                         Kept{{point.case_name, evidence.metric, evidence.unit, evidence.definition,
                               part_identity_of(point.case_name, point.key)},
                              case_id,
                              point.key}))
      .first->second.get();
}

}  // namespace assay::results
