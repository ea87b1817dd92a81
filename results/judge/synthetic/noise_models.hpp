// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kinds of noise and the faults of the report card.
#pragma once

#include <array>
#include <vector>

#include "results/judge/synthetic/synthetic_fleet.hpp"

namespace assay::results {

struct NoiseModel {
  const char* name;
  FleetShape shape;
};

/// Nodes of 8, switches of 8 nodes, five metrics of which three are products.
std::vector<NoiseModel> noise_models(int nodes);

struct FaultKind {
  const char* name;
  const char* level;
  double loss;
  bool whole_group;  // all products
};
inline constexpr std::array fault_kinds{
    FaultKind{"GPU 3 %, one metric", "gpu", 0.03, false},
    FaultKind{"GPU 5 %, one metric", "gpu", 0.05, false},
    FaultKind{"GPU 5 %, all products", "gpu", 0.05, true},
    FaultKind{"GPU 10 %, all products", "gpu", 0.10, true},
    FaultKind{"node 3 %, one metric", "host", 0.03, false},
    FaultKind{"node 5 %, all products", "host", 0.05, true},
    FaultKind{"switch 2 %, one metric", "switch", 0.02, false},
    FaultKind{"rail 2 %, one metric", "rail", 0.02, false},
};

}  // namespace assay::results
