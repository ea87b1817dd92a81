// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a fabric is: its counts, ratios, distances and buffers, and what is wrong with it.
#pragma once

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/simulate/answer.hpp"

namespace assay::model::fabric {

struct TierShape {
  std::string name;
  std::uint32_t nodes = 0;
  std::size_t failed_cables = 0;              // up
  double down_gb_per_s = 0, up_gb_per_s = 0;  // goodput of all its live links, 0 at the ends

  /// Capacity down over capacity up; 0 at the top and of hosts.
  double ratio() const { return up_gb_per_s > 0 ? down_gb_per_s / up_gb_per_s : 0; }
};

struct FabricShapeFacts {
  std::vector<TierShape> tiers;  // from hosts up
  std::size_t cables = 0;
  int diameter = 0;               // links of the longest of all shortest paths
  double round_trip_us = 0;       // over it, without load
  double window_bytes = 0;        // in flight at full rate over it, waits of admission included
  double bisection_gb_per_s = 0;  // half of the least capacity that a tier has upwards
  double pause_above_bytes = 0;   // of the first leaf
};
FabricShapeFacts facts_of(const FabricModel& model);

/// A finding where buffers of an explicit list of links can wait for one another in a circle; or nothing.
std::optional<Answer> cycle_answer(const FabricFile& fabric);

/// A fabric cut in two is a finding that names hosts, and so are links whose buffers can wait for one another
/// in a circle.
Answer describe(const FabricFile& fabric);

}  // namespace assay::model::fabric
