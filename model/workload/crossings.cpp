// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/crossings.hpp"

#include <algorithm>
#include <charconv>

namespace assay::model::workload {
namespace {

/// Below `end`, of those whose place in their block is among the last `shift`.
std::uint64_t crossings_below(std::uint64_t end, std::uint64_t shift, std::uint64_t block) {
  const std::uint64_t rest = end % block;
  return end / block * shift + (rest > block - shift ? rest - (block - shift) : 0);
}

/// From the last member of a row of the nearest level: to the next row of its group, or back to the first.
std::uint64_t row_end_crossings(const RegularGroups& groups, std::uint64_t row, std::uint64_t block,
                                bool wraps) {
  const training::GroupLevel& nearest = groups.levels.front();
  const std::uint64_t last = row + std::uint64_t{nearest.stride} * (nearest.size - 1);
  std::uint64_t back = last - row;
  for (std::size_t at = 1; at < groups.levels.size(); ++at) {
    const training::GroupLevel& level = groups.levels[at];
    if (row / level.stride % level.size + 1 < level.size)
      return crossings(last, nearest.stride, level.stride - back, block);
    back += std::uint64_t{level.stride} * (level.size - 1);
  }
  return wraps ? crossings(last - back, nearest.stride, back, block) : 0;
}

}  // namespace

std::uint64_t crossings(std::uint64_t begin, std::uint64_t count, std::uint64_t shift, std::uint64_t block) {
  if (shift >= block) return count;
  return crossings_below(begin + count, shift, block) - crossings_below(begin, shift, block);
}

std::uint64_t RegularGroups::members() const {
  std::uint64_t count = 1;
  for (const training::GroupLevel& level : levels) count *= level.size;
  return count;
}

std::optional<RegularGroups> regular_groups(const std::string& text, std::uint32_t ranks) {
  std::vector<std::uint32_t> numbers;
  for (const char *at = text.data(), *const end = at + text.size();; ++at) {
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || (next != end && *next != ':')) return std::nullopt;
    if (next == end) break;
    at = next;
  }
  if (numbers.size() < 4 || numbers.size() % 2 != 0 || numbers[0] != 0 || numbers[1] != ranks)
    return std::nullopt;
  RegularGroups groups{.ranks = ranks};
  for (std::size_t at = 2; at < numbers.size(); at += 2)
    groups.levels.push_back({numbers[at], numbers[at + 1]});
  return groups;
}

std::uint64_t next_crossings(const RegularGroups& groups, std::uint64_t block, bool wraps) {
  const training::GroupLevel& nearest = groups.levels.front();
  const std::uint64_t length = std::uint64_t{nearest.stride} * nearest.size;
  std::uint64_t count = 0;
  for (std::uint64_t row = 0; row < groups.ranks; row += length)
    count += crossings(row, length - nearest.stride, nearest.stride, block) +
             row_end_crossings(groups, row, block, wraps);
  return count;
}

std::uint64_t all_pair_crossings(const RegularGroups& groups, std::uint64_t block) {
  const training::GroupLevel& only = groups.levels.front();
  const std::uint64_t length = std::uint64_t{only.stride} * only.size;
  std::uint64_t count = 0;
  for (std::uint64_t row = 0; row < groups.ranks; row += length)
    for (std::uint64_t apart = 1; apart < only.size; ++apart)
      count += 2 * crossings(row, only.stride * (only.size - apart), only.stride * apart, block);
  return count;
}

}  // namespace assay::model::workload
