// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point of this module as a struct, and why it cannot run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/content.hpp"
#include "collectives/measure/axes.hpp"
#include "collectives/measure/collective_trial.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nccl/nccl_way.hpp"
#include "collectives/rank_groups.hpp"
#include "collectives/watch/hang_watch.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/team/team.hpp"
#include "harness/training/training_step.hpp"

namespace assay::collectives {

/// Who there is, and what a point may refer to beyond itself.
struct Surroundings {
  int ranks = 1;
  std::vector<int> node_of = {};                                 // empty: all on one
  std::shared_ptr<const CountsMatrix> matrix = nullptr;          // of all_to_all_v
  std::shared_ptr<const training::TrainingStep> step = nullptr;  // of a workload file
};

Content content_of(const core::Point& point);
Turns turns_of(const core::Point& point);
Between between_of(const core::Point& point);

/// Throws core::Error (usage) for a list that names no ranks of these.
std::vector<RankGroup> groups_of(const core::Point& point, const Surroundings& around);

/// The problem of one group. Throws core::Error (usage) for bytes that are no whole number of elements, a
/// root that is not a rank of the group.
Problem problem_of(const core::Point& point, Operation operation, const RankGroup& group,
                   const Surroundings& around);

/// Why these groups cannot run as the point asks; none where they can.
std::optional<std::string> why_not_grouped(const core::Point& point, const std::vector<RankGroup>& groups,
                                           int ranks);

inline constexpr const char* no_mpi = "no rank was started by MPI: run mpirun -n N assay-collectives";

/// Who measures at this rank.
struct CaseMaker {
  Surroundings around;
  double hang_limit_s = 15;
  bool ranks_share_gpu = false;
  team::Team* team = nullptr;  // none: the cases are only declared
  std::shared_ptr<WatchPost> post = {};
  HangWatch* watch = nullptr;                // at rank 0
  std::shared_ptr<KeptSlot> kept_nccl = {};  // after the post, which its communicators look at
};

/// The options that NCCL is opened with; way and operation are the case's.
NcclWorldOptions nccl_options(const CaseMaker& maker);

/// One of the module's cases, and who measures it.
struct AskedCase {
  CaseMaker maker;
  BackEnd back_end = BackEnd::assay;
  Operation operation = Operation::all_reduce;
};

/// A point as a struct.
struct CollectiveSettings {
  AskedCase asked;
  Content content = {};
  Turns turns = Turns::at_once;
  Between between = Between::nothing;
  std::vector<RankGroup> groups = {};
  std::vector<Problem> problems = {};    // by group; none where impossible
  const Algorithm* algorithm = nullptr;  // one of assay's
  NcclWay way = {};
  std::optional<std::string> impossible = {};
  core::OwnClock::Place place = {};
};

CollectiveSettings settings_of(const core::Point& point, const AskedCase& asked);

/// Why this machine or launch cannot run it; empty when it can.
std::optional<std::string> why_not(const CollectiveSettings& settings);

}  // namespace assay::collectives
