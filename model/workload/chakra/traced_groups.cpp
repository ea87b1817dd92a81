// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {
namespace {

using training::GroupLevel;
using training::Traffic;

std::string shown(const std::string& group) { return "'" + core::printable(group, 40) + "'"; }

/// "0-3+8".
std::string listed(const std::set<std::uint32_t>& ranks) {
  std::string text;
  for (auto at = ranks.begin(); at != ranks.end();) {
    const std::uint32_t first = *at;
    std::uint32_t last = first;
    for (++at; at != ranks.end() && *at == last + 1; ++at) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : "+", first);
    if (last > first) text += fmt::format("-{}", last);
  }
  return text;
}

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

/// Of all ranks, in groups of that form; nothing where they do not divide into such, or it is none of them.
std::optional<std::string> groups_like(const std::set<std::uint32_t>& members, std::uint32_t ranks) {
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

std::vector<const TraceNode*> exchanges_of(const Trace& trace) {
  std::vector<const TraceNode*> all;
  for (const TraceNode& node : trace.nodes)
    if (node.traffic != Traffic::none) all.push_back(&node);
  return all;
}

TracedGroups::TracedGroups(std::span<const Trace> traces, std::uint32_t ranks)
    : traces_(traces), ranks_(ranks) {
  for (const Trace& trace : traces) by_rank_.push_back(exchanges_of(trace));
  refuse_ranks_beyond();
  for (std::size_t rank = 1; rank < by_rank_.size(); ++rank) compare(rank);
  shapes_.resize(by_rank_.size());
  if (traces.size() == 1)
    resolve_single();
  else
    resolve_several();
}

void TracedGroups::refuse_ranks_beyond() const {
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
    for (const TraceNode* node : by_rank_[rank])
      if (const TraceGroup* const group = stated(rank, node->group);
          group != nullptr && !group->ranks.empty() && group->ranks.back() >= ranks_)
        core::usage_error(fmt::format("{}: group {} has rank {}: expected at least {} ranks, got {}",
                                      traces_[rank].file, shown(node->group), group->ranks.back(),
                                      group->ranks.back() + 1, ranks_));
}

void TracedGroups::compare(std::size_t rank) const {
  const auto same = [](const TraceNode* one, const TraceNode* other) {
    return one->traffic == other->traffic && one->bytes == other->bytes;
  };
  if (!std::ranges::equal(by_rank_[0], by_rank_[rank], same))
    core::usage_error(
        fmt::format("{}: its exchanges differ in number, kind or size from those of {}: expected ranks "
                    "that do the same",
                    traces_[rank].file, traces_[0].file));
}

const TraceGroup* TracedGroups::stated(std::size_t rank, const std::string& name) const {
  const auto found = traces_[rank].groups.find(name);
  return found == traces_[rank].groups.end() ? nullptr : &found->second;
}

/// PyTorch lists no ranks of a group that all are in.
bool TracedGroups::is_all(const std::string& name, const TraceGroup* group) const {
  if (name.empty()) return true;
  return group != nullptr && group->ranks.empty() && (group->size == 0 || group->size == ranks_);
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
                                 shown(name), listed(members)));
    return {*text, static_cast<std::uint32_t>(members.size())};
  }
  notes_.push_back(fmt::format(
      "group {} is ranks {}: {} ranks do not divide into groups of that form, so others are in none",
      shown(name), listed(members), ranks_));
  return of_members(members);
}

void TracedGroups::resolve_single() {
  for (const TraceNode* node : by_rank_.front()) {
    const std::string& name = node->group;
    if (shapes_[0].contains(name)) continue;
    const TraceGroup* const group = stated(0, name);
    if (group != nullptr && !group->ranks.empty()) {
      shapes_[0][name] = alike(name, Members(group->ranks.begin(), group->ranks.end()));
      continue;
    }
    shapes_[0][name] = all();
    // ASTRA-sim, too, takes "0" for all ranks (518bd51, Workload::extract_comm_group).
    if (is_all(name, group) || (name == "0" && group == nullptr)) continue;
    notes_.push_back(fmt::format("group {} is taken for all {} ranks: the trace does not list its ranks",
                                 shown(name), ranks_));
  }
}

void TracedGroups::resolve_several() {
  std::map<std::string, Members> named_by;
  for (std::uint32_t rank = 0; rank < by_rank_.size(); ++rank)
    for (const TraceNode* node : by_rank_[rank]) named_by[node->group].insert(rank);
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
    for (const TraceNode* node : by_rank_[rank]) {
      const std::string& name = node->group;
      if (shapes_[rank].contains(name)) continue;
      const TraceGroup* const group = stated(rank, name);
      if (is_all(name, group))
        shapes_[rank][name] = all();
      else if (group != nullptr && !group->ranks.empty())
        shapes_[rank][name] = of_members(Members(group->ranks.begin(), group->ranks.end()));
      else
        shapes_[rank][name] = of_members(named_by.at(name));
    }
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

std::uint32_t TracedGroups::size_of(std::size_t exchange) const {
  std::set<std::uint32_t> sizes;
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
    if (const Shape& one = shape(rank, exchange); one.size > 0) sizes.insert(one.size);
  if (sizes.size() > 1)
    core::usage_error(
        fmt::format("{}: node {} gathers in groups of {} and of {} ranks: expected groups of one size",
                    traces_[0].file, by_rank_[0][exchange]->id, *sizes.begin(), *sizes.rbegin()));
  return sizes.empty() ? 1 : *sizes.begin();
}

}  // namespace assay::model::workload
