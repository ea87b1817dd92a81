// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A limit from the values of a fleet's nodes: the bound of a quantile by order statistics, which needs no
// shape of the noise, after nodes that are far out were left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct QuantileRules {
  double coverage = 0.95;    // of sound nodes within the limit, at least ...
  double confidence = 0.95;  // ... with this probability
  /// Deviations of its own side, by the median distance on that side, beyond which a node is left out.
  double cut = 4;
  double most_left_out = 0.15;          // share of the nodes beyond which they are no single population
  double margin = FleetRules().margin;  // relative, that two groups of nodes are apart at least
};

/// Whether the bad side of a value is the low one.
enum class BadSide { low, high };

struct NodeQuantile {
  double limit = 0;      // the interval's end on the bad side
  Number quantile = {};  // of coverage; one-sided confidence at each end
  double median = 0;
  double cut = 0;           // no bad nodes, however many below the share, move the limit beyond
  std::int64_t nodes = 0;   // that counted
  std::int64_t needed = 0;  // for the coverage at this confidence
  std::vector<std::string> left_out = {};  // nodes beyond the cut
  std::string why_not = {};                // no limit: too few nodes, or two groups of them

  std::int64_t lacking() const { return nodes < needed ? needed - nodes : 0; }
};

/// Fewest values of which the outermost bounds the quantile: ln(1 - confidence) / ln(coverage), rounded up
/// (Wilks 1941). 59 for 95 % at 95 %.
std::int64_t nodes_needed(const QuantileRules& rules);

/// The limit from one finite value for each node, given with the node's name.
NodeQuantile node_quantile(const std::vector<std::pair<std::string, double>>& nodes, BadSide side,
                           const QuantileRules& rules);

}  // namespace assay::results
