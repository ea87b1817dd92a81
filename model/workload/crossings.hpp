// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of messages that leave blocks of neighbouring ranks, in groups of all ranks at regular strides,
// without looking at each message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {

/// The number of ranks, among the `count` from `begin` on, that are in another block of this size than the
/// rank `shift` further.
std::uint64_t crossings(std::uint64_t begin, std::uint64_t count, std::uint64_t shift, std::uint64_t block);

/// All ranks in groups, by levels of stride and size from the nearest on.
struct RegularGroups {
  std::uint32_t ranks = 0;
  std::vector<training::GroupLevel> levels = {};

  std::uint64_t members() const;
};
/// Nothing for other texts than groups_text of rank_groups.hpp writes.
std::optional<RegularGroups> regular_groups(const std::string& text, std::uint32_t ranks);

/// The crossings of messages from each member to the next, in order of rank; `wraps`: from the last to the
/// first as well.
std::uint64_t next_crossings(const RegularGroups& groups, std::uint64_t block, bool wraps);
/// The crossings of messages from each member to each other. Groups of one level.
std::uint64_t all_pair_crossings(const RegularGroups& groups, std::uint64_t block);

}  // namespace assay::model::workload
