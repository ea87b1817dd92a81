// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/collective_settings.hpp"

#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nccl/nccl_limits.hpp"
#include "harness/team/rendezvous.hpp"

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
  made.impossible = why_not_grouped(point, made.groups);
  if (made.impossible) return made;
  made.content = content_of(point);
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
  if (back_end == BackEnd::mpi && !started_by_mpi()) return no_mpi;
  for (const Problem& problem : settings.problems)
    if (std::string reason = why_not_solved(settings, problem); !reason.empty()) return reason;
  if (!on_device(back_end)) return std::nullopt;
  if (auto untimed = why_not_timed(settings.way, settings.between)) return untimed;
  return why_no_nccl();
}

}  // namespace assay::collectives
