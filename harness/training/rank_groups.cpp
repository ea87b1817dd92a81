// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "harness/core/error.hpp"

namespace assay::training {

namespace {

struct GroupForm {
  std::uint32_t first = 0, end = 0;
  std::vector<GroupLevel> levels = {};

  std::uint64_t row() const { return std::uint64_t{levels.back().size} * levels.back().stride; }
  std::uint64_t members() const {
    std::uint64_t count = 1;
    for (const GroupLevel& level : levels) count *= level.size;
    return count;
  }
};

[[noreturn]] void refuse_groups(const std::string& text, const std::string& why) {
  core::usage_error(fmt::format(
      "'{}': {}: expected first:end, first:end:stride, first:end:stride:size or ranks as 0+8+16-18", text,
      why));
}

/// Numbers with these separators between them, which are handed on with what follows them.
std::vector<std::uint32_t> numbers_of(const std::string& text, char separator) {
  std::vector<std::uint32_t> numbers;
  const char *at = text.data(), *const end = text.data() + text.size();
  while (true) {
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || (next != end && *next != separator)) refuse_groups(text, "not whole numbers");
    if (next == end) return numbers;
    at = next + 1;
  }
}

GroupForm group_form(const std::string& text) {
  std::vector<std::uint32_t> numbers = numbers_of(text, ':');
  if (numbers.size() < 2) refuse_groups(text, "not two whole numbers or more");
  GroupForm form{.first = numbers[0], .end = numbers[1]};
  if (form.end <= form.first) refuse_groups(text, "no ranks");
  const std::uint32_t count = form.end - form.first;
  if (numbers.size() == 2) numbers.push_back(1);
  if (numbers[2] == 0) refuse_groups(text, "a stride or size of 0");
  if (numbers.size() == 3) {
    if (count % numbers[2] != 0)
      refuse_groups(text, fmt::format("{} ranks do not divide by a stride of {}", count, numbers[2]));
    numbers.push_back(count / numbers[2]);
  }
  if (numbers.size() % 2 != 0) refuse_groups(text, "a stride without a size");
  for (std::size_t at = 2; at < numbers.size(); at += 2) {
    const GroupLevel level{numbers[at], numbers[at + 1]};
    if (level.stride == 0 || level.size == 0) refuse_groups(text, "a stride or size of 0");
    if (!form.levels.empty() && level.stride % form.row() != 0)
      refuse_groups(text, fmt::format("a stride of {} after rows of {}", level.stride, form.row()));
    form.levels.push_back(level);
  }
  if (count % form.row() != 0)
    refuse_groups(text, fmt::format("{} ranks do not divide into {} groups of {}", count,
                                    form.row() / form.members(), form.members()));
  return form;
}

/// The lowest ranks of groups are those of place 0 in every level.
RankGroup members_from(std::uint32_t lowest, const std::vector<GroupLevel>& levels) {
  RankGroup group{lowest};
  for (const GroupLevel& level : levels) {
    const std::size_t inner = group.size();
    for (std::uint32_t place = 1; place < level.size; ++place)
      for (std::size_t at = 0; at < inner; ++at) group.push_back(group[at] + place * level.stride);
  }
  return group;
}

RankGroup listed_group(const std::string& text) {
  RankGroup group;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t plus = std::min(text.find('+', at), text.size());
    const std::vector<std::uint32_t> ends = numbers_of(text.substr(at, plus - at), '-');
    if (ends.size() > 2 || ends.back() < ends.front()) refuse_groups(text, "not ranks");
    if (ends.back() - ends.front() > (1U << 24U)) refuse_groups(text, "too many ranks");
    for (std::uint32_t rank = ends.front(); rank <= ends.back(); ++rank) group.push_back(rank);
    at = plus + 1;
  }
  return group;
}

[[noreturn]] void refuse_beyond(const std::string& text, std::uint32_t rank, std::uint32_t ranks) {
  refuse_groups(text, fmt::format("rank {} is beyond the last, {}", rank, ranks - 1));
}

void append_groups(std::vector<RankGroup>& groups, const std::string& text, std::uint32_t ranks) {
  if (text.find(':') == std::string::npos) {
    groups.push_back(listed_ranks(text, ranks));
    if (groups.back().size() < 2) refuse_groups(text, "groups of one rank");
    return;
  }
  const GroupForm form = group_form(text);
  if (form.end > ranks) refuse_beyond(text, form.end - 1, ranks);
  if (form.members() < 2) refuse_groups(text, "groups of one rank");
  for (std::uint32_t rank = form.first; rank < form.end; ++rank) {
    bool is_lowest = true;
    for (const GroupLevel& level : form.levels)
      is_lowest = is_lowest && (rank - form.first) / level.stride % level.size == 0;
    if (is_lowest) groups.push_back(members_from(rank, form.levels));
  }
}

}  // namespace

RankGroup listed_ranks(const std::string& text, std::uint32_t ranks) {
  RankGroup group = listed_group(text);
  std::set<std::uint32_t> met;
  for (const std::uint32_t rank : group) {
    if (rank >= ranks) refuse_beyond(text, rank, ranks);
    if (!met.insert(rank).second) refuse_groups(text, fmt::format("rank {} twice", rank));
  }
  return group;
}

std::vector<RankGroup> rank_groups(std::span<const std::string> texts, std::uint32_t ranks) {
  std::vector<RankGroup> groups;
  for (const std::string& text : texts) append_groups(groups, text, ranks);
  std::vector<char> met(ranks);
  for (const RankGroup& group : groups)
    for (const std::uint32_t rank : group) {
      if (met[rank] != 0)
        core::usage_error(fmt::format("rank {} is in two groups: expected groups that do not overlap", rank));
      met[rank] = 1;
    }
  return groups;
}

std::string groups_text(std::uint32_t ranks, std::span<const GroupLevel> levels) {
  std::string text;
  for (const GroupLevel& level : levels)
    if (level.size > 1) text += fmt::format(":{}:{}", level.stride, level.size);
  return text.empty() ? text : fmt::format("0:{}{}", ranks, text);
}

std::string groups_text(std::uint32_t ranks) {
  const std::array levels{GroupLevel{1, ranks}};
  return groups_text(ranks, levels);
}

}  // namespace assay::training
