// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How evenly flows lie on equal uplinks: the busiest uplink over the mean, and Jain's fairness index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::path {

struct Spread {
  std::int64_t flows = 0;
  int uplinks = 0;
  int idle_uplinks = 0;         // uplinks without a flow
  std::int64_t most_flows = 0;  // on the busiest uplink
  double max_over_mean = 0;     // 1: even; `uplinks`: all flows on one
  double jain_index = 0;  // (sum x)^2 / (n sum x^2): 1: even; 1/uplinks: all on one (Jain, Chiu, Hawe 1984)
};

/// `flows_of_uplink`: how many flows each uplink carries; at least one uplink and one flow.
Spread spread_of(std::span<const std::int64_t> flows_of_uplink);

/// spread_of() from the uplink of each flow, 0 to uplinks - 1.
Spread spread_of(std::span<const int> uplink_of_flow, int uplinks);

/// (sum x)^2 / (n sum x^2) of any loads; 0 where none carries anything.
double jain_index(std::span<const double> loads);

/// The bandwidth each flow would get where only uplinks limit and flows of one uplink share it evenly, in
/// units of one uplink: 1 for a flow that is alone, 1/n among n.
std::vector<double> fair_shares(std::span<const int> uplink_of_flow, int uplinks);

/// Pearson's correlation of what a model gives each flow with what was measured, -1 to 1; 0 where either does
/// not vary or there are fewer than two flows. Near 1: this model's hash is the fabric's.
double agreement(std::span<const double> predicted, std::span<const double> measured);

}  // namespace assay::path
