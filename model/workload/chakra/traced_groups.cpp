// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {
namespace {

using training::GroupLevel;
using training::Traffic;

/// Strides and sizes of evenly spaced ranks, which may be in rows that are evenly spaced themselves.
std::optional<std::vector<GroupLevel>> levels_of(std::vector<std::uint32_t> ranks) {
  std::vector<GroupLevel> levels;
  while (ranks.size() > 1) {
    const std::uint32_t stride = ranks[1] - ranks[0];
    std::size_t row = 2;
    while (row < ranks.size() && ranks[row] - ranks[row - 1] == stride) ++row;
    if (ranks.size() % row != 0) return std::nullopt;
    std::vector<std::uint32_t> rows;
    for (std::size_t at = 0; at < ranks.size(); ++at) {
      if (ranks[at] - ranks[at - at % row] != stride * (at % row)) return std::nullopt;
      if (at % row == 0) rows.push_back(ranks[at]);
    }
    levels.push_back({stride, static_cast<std::uint32_t>(row)});
    ranks = std::move(rows);
  }
  return levels;
}

/// All ranks in groups of the same form as `members`, as text; nothing where they do not divide into such
/// groups, or `members` is not one of these.
std::optional<std::string> groups_like(const Members& members, std::uint32_t ranks) {
  const auto levels = levels_of({members.begin(), members.end()});
  if (!levels) return std::nullopt;
  std::string text = training::groups_text(ranks, *levels);
  const training::RankGroup own(members.begin(), members.end());
  try {
    const std::vector<training::RankGroup> groups = training::rank_groups({&text, 1}, ranks);
    return std::ranges::find(groups, own) == groups.end() ? std::nullopt : std::optional(std::move(text));
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

}  // namespace

TracedGroups::TracedGroups(std::span<const Trace> traces, std::uint32_t ranks)
    : traces_(traces), ranks_(ranks) {
  for (const Trace& trace : traces) by_rank_.push_back(exchanges_of(trace));
  refuse_ranks_beyond(traces, ranks);
  shapes_.resize(by_rank_.size());
  if (traces.size() == 1)
    resolve_single();
  else
    resolve_several();
}

TracedGroups::Shape TracedGroups::all() const { return {training::groups_text(ranks_), ranks_}; }

TracedGroups::Shape TracedGroups::of_members(const Members& members) const {
  if (members.size() == ranks_) return all();
  if (members.size() < 2) return {};
  return {listed(members), static_cast<std::uint32_t>(members.size())};
}

TracedGroups::Shape TracedGroups::alike(const std::string& name, const Members& members) {
  if (members.size() < 2 || members.size() == ranks_) return of_members(members);
  if (const auto text = groups_like(members, ranks_)) {
    notes_.push_back(fmt::format("group {} is ranks {}: every rank is taken to be in a group of that form",
                                 shown_group(name), listed(members)));
    return {*text, static_cast<std::uint32_t>(members.size())};
  }
  notes_.push_back(fmt::format(
      "group {} is ranks {}: {} ranks do not divide into groups of that form, so others are in none",
      shown_group(name), listed(members), ranks_));
  return of_members(members);
}

void TracedGroups::resolve_single() {
  for (const TraceNode* node : by_rank_.front()) {
    const std::string& name = node->group;
    if (shapes_[0].contains(name)) continue;
    const TraceGroup* const group = stated_group(traces_[0], name);
    if (group != nullptr && !group->ranks.empty()) {
      shapes_[0][name] = alike(name, Members(group->ranks.begin(), group->ranks.end()));
      continue;
    }
    shapes_[0][name] = all();
    // ASTRA-sim, too, takes "0" for all ranks (518bd51, Workload::extract_comm_group).
    if (has_all_ranks(name, group, ranks_) || (name == "0" && group == nullptr)) continue;
    notes_.push_back(fmt::format("group {} is taken for all {} ranks: the trace does not list its ranks",
                                 shown_group(name), ranks_));
  }
}

void TracedGroups::resolve_several() {
  const GroupMembers members(traces_, ranks_);
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
    for (const TraceNode* node : by_rank_[rank])
      if (!shapes_[rank].contains(node->group))
        shapes_[rank][node->group] = of_members(members.of(rank, node->group));
}

const TracedGroups::Shape& TracedGroups::shape(std::size_t rank, std::size_t exchange) const {
  return shapes_[rank].at(by_rank_[rank][exchange]->group);
}

std::string TracedGroups::of(std::size_t exchange) const {
  std::set<std::string> texts;
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
    if (const Shape& one = shape(rank, exchange); one.size > 0) {
      if (one.size == ranks_) return one.text;
      texts.insert(one.text);
    }
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : " ") + one;
  return text;
}

std::optional<std::uint32_t> TracedGroups::size_of(std::size_t exchange) const {
  std::optional<std::uint32_t> size;
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
    const Shape& one = shape(rank, exchange);
    if (one.size == 0) continue;
    if (size && *size != one.size) return std::nullopt;
    size = one.size;
  }
  return size.value_or(1);
}

std::optional<std::vector<std::uint32_t>> TracedGroups::sizes() const {
  std::vector<std::uint32_t> all;
  for (std::size_t exchange = 0; exchange < by_rank_.front().size(); ++exchange) {
    const std::optional<std::uint32_t> size = size_of(exchange);
    if (!size) return std::nullopt;
    all.push_back(*size);
  }
  return all;
}

}  // namespace assay::model::workload
