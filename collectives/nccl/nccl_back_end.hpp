// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL as the module sees it, whether this build has it or not.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/runner.hpp"
#include "collectives/nccl/nccl_way.hpp"
#include "collectives/rank_groups.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// The component that this build lacks: "CUDA", "NCCL's header".
std::optional<std::string> nccl_not_built();
/// Why this process has no NCCL or no GPU for it, in the loader's or the driver's words.
std::optional<std::string> why_no_nccl();
/// The version of the library that this process finds: "2.28.9"; empty where there is none. Ranks must agree
/// on it.
std::string nccl_version_here();

/// Communicators that one point leaves to the next (NcclWay::keeps_communicators). Every rank destroys them
/// between the same points.
class KeptCommunicators {
 public:
  virtual ~KeptCommunicators() = default;
};
using KeptSlot = std::unique_ptr<KeptCommunicators>;

class QueuedRunner;

/// All ranks' NCCL, for one point.
class NcclWorld {
 public:
  virtual ~NcclWorld() = default;

  /// Every rank calls it for every group, at the same time and in the same order; those of one group share a
  /// communicator. Null at a rank that is not in the group.
  virtual std::unique_ptr<Runner> make_runner(const RankGroup& group, const Problem& problem,
                                              const Content& content) = 0;
  virtual std::unique_ptr<QueuedRunner> make_queued_runner(const RankGroup& group, const Problem& problem,
                                                           const Content& content) = 0;
  /// Versions, this rank's GPU, and where it applies, that this does not measure performance.
  virtual std::vector<core::Fact> facts() const = 0;
};

struct NcclWorldOptions {
  NcclWay way = {};
  Operation operation = Operation::all_reduce;
  const Algorithm* algorithm = nullptr;  // assay's, over its sends and receives; null: NCCL's
  bool ranks_share_gpu = false;
  double hang_limit_s = 15;
  const std::atomic<bool>* given_up = nullptr;  // outlives the world, its runners and what is kept
  KeptSlot* kept = nullptr;                     // outlives the world; null: nothing is kept
};

/// Every rank calls it at the same time. Throws core::Error (nccl, cuda); Unsupported where ranks would share
/// a GPU and were not asked to.
std::unique_ptr<NcclWorld> open_nccl(team::Team& team, const NcclWorldOptions& options);

}  // namespace assay::collectives
