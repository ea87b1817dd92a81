// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From a point to what each group of ranks is asked to do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/content.hpp"
#include "collectives/measure/collective_trial.hpp"
#include "collectives/rank_groups.hpp"
#include "harness/core/axis.hpp"

namespace assay::collectives {

/// Who there is, and what a point may refer to beyond itself.
struct Surroundings {
  int ranks = 1;
  std::vector<int> node_of = {};                         // empty: all on one
  std::shared_ptr<const CountsMatrix> matrix = nullptr;  // of all_to_all_v
};

Content content_of(const core::Point& point);
Turns turns_of(const core::Point& point);
Between between_of(const core::Point& point);

/// Throws core::Error (usage) for a list that names no ranks of these.
std::vector<RankGroup> groups_of(const core::Point& point, const Surroundings& around);

/// The problem of one group. Throws core::Error (usage) for bytes that are no whole number of elements, a
/// root that is no rank of the group.
Problem problem_of(const core::Point& point, Operation operation, const RankGroup& group,
                   const Surroundings& around);

/// Why these groups cannot run as the point asks; none where they can.
std::optional<std::string> why_not_grouped(const core::Point& point, const std::vector<RankGroup>& groups);

}  // namespace assay::collectives
