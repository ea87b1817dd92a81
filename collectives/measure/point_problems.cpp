// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/point_problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using core::Point;

void take_bytes(Problem& problem, const Point& point) {
  const std::int64_t bytes = point.integer("bytes"), element = bytes_of(content_of(point).type);
  if (bytes < 0 || bytes % element != 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of {}, the size of {}", bytes, element,
                                  to_text(content_of(point).type)));
  problem.count = bytes / element;
}

void take_place(Problem& problem, const Point& point) {
  const std::int64_t in_place = point.integer("in_place");
  if (in_place != 0 && in_place != 1)
    core::usage_error(fmt::format("in_place={}: expected 0 or 1", in_place));
  problem.in_place = in_place == 1;
}

bool says(const Point& point, const std::string& axis, const std::string& word) {
  return point.has(axis) && point.text(axis) == word;
}

}  // namespace

Content content_of(const Point& point) {
  Content content{.seed = 1};
  if (point.has("dtype")) content.type = data_type_from(point.text("dtype"));
  if (point.has("operator")) content.reduction = operator_from(point.text("operator"));
  return content;
}

Turns turns_of(const Point& point) {
  return says(point, "turns", "in_turn") ? Turns::in_turn : Turns::at_once;
}

Between between_of(const Point& point) {
  return says(point, "between", "barrier") ? Between::barrier : Between::nothing;
}

std::vector<RankGroup> groups_of(const Point& point, const Surroundings& around) {
  return rank_groups(point.has("groups") ? point.text("groups") : "all", around.ranks, around.node_of);
}

Problem problem_of(const Point& point, Operation operation, const RankGroup& group,
                   const Surroundings& around) {
  Problem problem{.operation = operation, .ranks = static_cast<int>(group.size())};
  if (!around.node_of.empty())
    for (const int rank : group) problem.node_of.push_back(around.node_of[static_cast<std::size_t>(rank)]);
  if (operation == Operation::all_to_all_v) problem.counts = around.matrix;
  if (point.has("bytes")) take_bytes(problem, point);
  if (point.has("root")) problem.root = static_cast<int>(point.integer("root"));
  if (point.has("in_place")) take_place(problem, point);
  check(problem);
  return problem;
}

std::optional<std::string> why_not_grouped(const Point& point, const std::vector<RankGroup>& groups) {
  if (groups.size() < 2) return std::nullopt;
  if (std::ranges::all_of(groups, [](const RankGroup& group) { return group.size() == 1; }))
    return fmt::format("groups={}: every group is a single rank here", point.text("groups"));
  const int shared = shared_rank(groups);
  if (shared >= 0 && turns_of(point) == Turns::at_once)
    return fmt::format("groups={}: rank {} is in several groups, which cannot run at once: turns=in_turn",
                       point.text("groups"), shared);
  return std::nullopt;
}

}  // namespace assay::collectives
