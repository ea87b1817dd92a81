// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The groups of ranks of a collective.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::training {

using RankGroup = std::vector<std::uint32_t>;

/// "first:end:stride:size": ranks from first to end - 1, in rows of size times stride. In each row, ranks
/// that differ by a multiple of the stride are one group: "0:1024:8" is 8 groups of 128 ranks, one for each
/// position in a node of 8, and "0:1024:1:8" 128 groups of 8 neighbours. Stride is 1 and size is all unless
/// stated. More pairs of stride and size, each of ranks farther apart, join groups: "0:64:2:4:16:4" is groups
/// of 16, four times 4 ranks. "0+8+16-18" is one group. Several texts together. Throws a usage Error for text
/// of another form, counts that do not divide, ranks from `ranks` on, ranks in two groups, and groups of one.
std::vector<RankGroup> rank_groups(std::span<const std::string> texts, std::uint32_t ranks);

/// Ranks as "0+8+16-18". Throws a usage Error for text of another form, ranks from `ranks` on, and a
/// rank twice.
RankGroup listed_ranks(const std::string& text, std::uint32_t ranks);

struct GroupLevel {
  std::uint32_t stride = 1, size = 1;
};
/// Groups of all ranks, by pairs of stride and size; those of size 1 are left out. Empty where no group has
/// two ranks.
std::string groups_text(std::uint32_t ranks, std::span<const GroupLevel> levels);
/// One group of all ranks, as text.
std::string groups_text(std::uint32_t ranks);

}  // namespace assay::training
