// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A description of a fabric: its counts, ratios, distances and buffers, and what is wrong with it.
#pragma once

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/farthest.hpp"

namespace assay::model::fabric {

struct TierShape {
  std::string name;
  std::uint32_t nodes = 0;
  std::size_t failed_cables = 0;              // up
  double down_gb_per_s = 0, up_gb_per_s = 0;  // goodput of all its live links, 0 at the ends
  double fed_gb_per_s = 0;                    // of those up, what leaves switches with links down
  std::size_t cables_within = 0;              // live, between two of its switches: neither up nor down

  /// Capacity down over capacity up of the switches that have links down; 0 at the top and of hosts.
  double ratio() const { return fed_gb_per_s > 0 ? down_gb_per_s / fed_gb_per_s : 0; }
};

struct FabricShapeFacts {
  std::vector<TierShape> tiers;  // from hosts up
  std::size_t cables = 0;
  Farthest farthest = {};
  /// Half of the least capacity that a tier has upwards; none where paths do not go up and then down.
  std::optional<double> bisection_gb_per_s = {};
  double pause_above_bytes = 0;  // of the first leaf
};
FabricShapeFacts facts_of(const FabricModel& model, const NextHops& hops);

/// A fabric in several parts is a finding that names hosts, unless servers with ports in each join them; and
/// so are links whose buffers can wait for one another in a circle.
Answer describe(const FabricFile& fabric);

}  // namespace assay::model::fabric
