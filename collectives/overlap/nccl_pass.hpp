// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass on GPUs: cuBLASLt computes the layers while NCCL exchanges.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/content.hpp"
#include "collectives/measure/connected_ranks.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/overlap/layer_shape.hpp"
#include "collectives/overlap/pass_plan.hpp"
#include "collectives/overlap/timed_pass.hpp"

namespace assay::collectives {

struct NcclPassSetup {
  ConnectedRanks connected = {};  // for barriers; notes what runs
  /// All ranks' NCCL, which makes this rank's GPU current.
  std::function<std::unique_ptr<NcclWorld>()> open_world = {};
  PassPlan plan = {};
  LayerShape shape = {};
  std::vector<Problem> problems = {};  // by exchange of the plan, none in place
  Content content = {};
};

/// Why this process has no NCCL, GPU or cuBLASLt.
std::optional<std::string> why_no_nccl_pass();
/// Every rank calls it at the same time. Throws core::Error (nccl, cuda, cublas).
std::unique_ptr<TimedPass> make_nccl_pass(team::Team& team, NcclPassSetup setup);

}  // namespace assay::collectives
