// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far from each other two hosts of a fabric are at most.
#pragma once

#include "model/fabric/simulate/fabric_model.hpp"

namespace assay::model::fabric {

/// Each the most over all pairs of hosts and all paths of a pair; 0 where no host reaches another.
struct Farthest {
  int links = 0;
  double round_trip_us = 0;  // without load
  double window_bytes = 0;   // in flight at full rate, `wait_us` after each round trip included
};

/// Time: pairs of leaves times links of a switch that lead from one to the other.
Farthest farthest_of(const FabricModel& model, const NextHops& hops, double wait_us);

}  // namespace assay::model::fabric
