// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The time that a stage takes by its plan's own arithmetic: the budgets of its points, counted on this host
// or for assumed nodes.
#pragma once

#include <atomic>
#include <optional>

#include "harness/front/campaign/site.hpp"
#include "harness/front/suite/assumed_node.hpp"
#include "harness/machine/left_out.hpp"

namespace assay::campaign {

struct Estimate {
  long points = 0;     // of a node or group, in one run or round
  double seconds = 0;  // of one run, at most
  machine::LeftOut left_out = {};
};

/// The nodes for which points are counted: those of --as, else by the expectation of the first node where it
/// says how many GPUs they have; nothing: this host. Throws a usage Error for either that cannot be read.
std::optional<suite::AssumedNode> assumed_nodes(const Site& site);

/// Estimates one run. Nothing where the modules cannot be asked here.
Estimate estimate_of(const Site& site, const Stage& stage, const std::optional<suite::AssumedNode>& node,
                     const std::atomic<int>& signals);

}  // namespace assay::campaign
