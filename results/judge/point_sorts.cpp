// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/point_sorts.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_sorts = 65536;

}  // namespace

const PointSort* PointSorts::of(std::int64_t case_id, const FleetPoint& point) {
  const PointEvidence& evidence = point.evidence;
  key_.assign(reinterpret_cast<const char*>(&case_id), sizeof case_id);
  for (const std::string* part : {&point.key, &evidence.metric, &evidence.unit, &evidence.definition})
    key_.append(*part).push_back('\0');
  if (const auto known = sorts_.find(key_); known != sorts_.end()) return known->second.get();
  if (sorts_.size() == most_sorts) return nullptr;
  return sorts_
      .emplace(key_, std::make_unique<PointSort>(PointSort{point.case_name, evidence.metric, evidence.unit,
                                                           evidence.definition, part_identity_of(point)}))
      .first->second.get();
}

}  // namespace assay::results
