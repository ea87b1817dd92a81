// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ports whose own counters say that their link is faulty: cable, module or port.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/fleet/fleet_point.hpp"

namespace assay::results {

class FaultyPorts {
 public:
  /// A point between hosts: what it says of the port of each rank.
  void take(const FleetPoint& point);
  /// "h5/rail1: mlx5_1 symbol_error +27 in 3 of 9 points". Of ports that were faulty in two points at least:
  /// one may be a cable that was touched.
  std::vector<FleetIssue> issues() const;

 private:
  struct Port {
    std::size_t points = 0, faulty = 0;
    std::map<std::string, std::uint64_t> moved;  // by counter
  };
  std::map<LinkEnd, Port> ports_;
};

}  // namespace assay::results
