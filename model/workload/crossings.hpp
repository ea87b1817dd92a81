// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many messages leave blocks of neighbouring ranks, without looking at each: of groups of all ranks at
// regular strides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {

/// Ranks from `begin` on, `count` of them, each with the one `shift` further: of how many are the two in
/// different blocks of this size?
std::uint64_t crossings(std::uint64_t begin, std::uint64_t count, std::uint64_t shift, std::uint64_t block);

/// All ranks in groups, by levels of stride and size from the nearest on.
struct RegularGroups {
  std::uint32_t ranks = 0;
  std::vector<training::GroupLevel> levels = {};

  std::uint64_t members() const;
};
/// Nothing for other texts than groups_text of rank_groups.hpp writes.
std::optional<RegularGroups> regular_groups(const std::string& text, std::uint32_t ranks);

/// Of messages from each member to the next, in order of rank; `wraps`: from the last to the first as well.
std::uint64_t next_crossings(const RegularGroups& groups, std::uint64_t block, bool wraps);
/// Of messages from each member to each other. Groups of one level.
std::uint64_t all_pair_crossings(const RegularGroups& groups, std::uint64_t block);

}  // namespace assay::model::workload
