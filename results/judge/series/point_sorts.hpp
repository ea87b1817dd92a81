// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Facts that many points of a fleet share, kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "results/judge/fleet/fleet_point.hpp"

namespace assay::results {

/// Facts that the points of one case and key share.
struct PointSort {
  std::string case_name, metric, unit,
      definition;  // metric and unit: the headline; PointEvidence::definition
  PartIdentity identity;
};

class PointSorts {
 public:
  /// The sort of this point of that case, which lasts as long as this. Nothing where it is new and too many
  /// are kept.
  const PointSort* of(std::int64_t case_id, const FleetPoint& point);

 private:
  struct Kept {
    PointSort sort;
    std::int64_t case_id = 0;
    std::string key;       // of the point
    Kept* next = nullptr;  // the sort that followed it last
  };
  static bool is_of(const Kept& kept, std::int64_t case_id, const FleetPoint& point);
  Kept* find(std::int64_t case_id, const FleetPoint& point);

  std::string key_;  // all that makes a sort one
  std::unordered_map<std::string, std::unique_ptr<Kept>> sorts_;
  Kept* latest_ = nullptr;
};

}  // namespace assay::results
