// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/collective_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nccl/nccl_limits.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/team/join/rendezvous.hpp"

namespace assay::collectives {
namespace {

/// As team_from_environment decides.
bool started_by_mpi() {
  const team::Environment environment = team::environment_of_this_process();
  if (team::torchrun_rendezvous(environment)) return false;
  return environment("OMPI_COMM_WORLD_SIZE") != nullptr || environment("PMIX_RANK") != nullptr;
}

std::string why_not_solved(const CollectiveSettings& settings, const Problem& problem) {
  switch (settings.asked.back_end) {
    case BackEnd::mpi:
      return why_not_mpi(problem);
    case BackEnd::nccl:
      return why_not_nccl(problem, settings.content, settings.way);
    case BackEnd::assay_device:
      return why_not_scheduled(*settings.algorithm, problem, settings.way);
    case BackEnd::assay:
      break;
  }
  return settings.algorithm->illegal(problem);
}

std::optional<std::string> why_not_timed(const NcclWay& way, Between between) {
  if (between == Between::nothing || way.launch == Launch::blocking) return std::nullopt;
  return "between=barrier: nothing comes between iterations that run together, launch=blocking";
}

}  // namespace

CollectiveSettings settings_of(const core::Point& point, const AskedCase& asked) {
  CollectiveSettings made{.asked = asked};
  const Surroundings& around = asked.maker.around;
  if (asked.operation == Operation::all_to_all_v && !around.matrix) {
    made.impossible = "no traffic matrix: give --traffic-matrix FILE";
    return made;
  }
  made.groups = groups_of(point, around);
  made.impossible = why_not_grouped(point, made.groups, around.ranks);
  if (made.impossible) return made;
  made.content = content_of(point);
  made.content.scales_inputs = asked.back_end == BackEnd::nccl;
  made.turns = turns_of(point);
  made.between = between_of(point);
  for (const RankGroup& group : made.groups)
    made.problems.push_back(problem_of(point, asked.operation, group, around));
  if (has_algorithms(asked.back_end)) made.algorithm = &algorithm(asked.operation, point.text("algorithm"));
  if (on_device(asked.back_end)) made.way = nccl_way_of(point);
  return made;
}

std::optional<std::string> why_not(const CollectiveSettings& settings) {
  const BackEnd back_end = settings.asked.back_end;
  for (const Problem& problem : settings.problems)
    if (std::string reason = why_not_solved(settings, problem); !reason.empty()) return reason;
  if (back_end == BackEnd::mpi && !started_by_mpi()) return no_mpi;
  if (!on_device(back_end)) return std::nullopt;
  if (auto untimed = why_not_timed(settings.way, settings.between)) return untimed;
  return why_no_nccl();
}

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

std::optional<std::string> why_not_grouped(const Point& point, const std::vector<RankGroup>& groups,
                                           int ranks) {
  if (groups.size() < 2) {
    const bool first = point.has("groups") && point.text("groups").starts_with(core::names::first_ranks);
    if (first && std::ssize(groups.front()) == ranks)
      return fmt::format("{}: {} ranks here, which groups=all measures", point.text("groups"), ranks);
    return std::nullopt;
  }
  if (std::ranges::all_of(groups, [](const RankGroup& group) { return group.size() == 1; }))
    return fmt::format("groups={}: every group is a single rank here", point.text("groups"));
  const int shared = shared_rank(groups);
  if (shared >= 0 && turns_of(point) == Turns::at_once)
    return fmt::format("groups={}: rank {} is in several groups, which cannot run at once: turns=in_turn",
                       point.text("groups"), shared);
  return std::nullopt;
}

NcclWorldOptions nccl_options(const CaseMaker& maker) {
  return {.ranks_share_gpu = maker.ranks_share_gpu,
          .hang_limit_s = maker.hang_limit_s,
          .given_up = &maker.post->given_up(),
          .kept = maker.kept_nccl.get()};
}

}  // namespace assay::collectives
