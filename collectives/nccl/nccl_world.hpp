// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All ranks' NCCL for one point, over the library and the GPU that it is given: the node's, or a test's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/device/rank_gpu.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/nccl/library.hpp"

namespace assay::collectives {

struct NcclParts {
  const nccl::Calls* calls = nullptr;
  std::string library = {};  // its name
  int visible_devices = 0;
  /// Says what the device is called and where it is.
  std::function<RankGpu(int device)> describe = {};
  std::function<std::shared_ptr<Accelerator>(int device)> open = {};
  /// Sets variables of NCCL: until what it returns is destroyed; for good, but for those that the user set.
  std::function<std::shared_ptr<void>(const std::vector<Variable>&)> set = {};
  std::function<void(const std::vector<Variable>&)> set_for_good = {};
  std::shared_ptr<RanSource> ran = {};  // null: NCCL reports nothing
  std::string why_unreported = {};
};

/// As open_nccl(), of these parts.
std::unique_ptr<NcclWorld> make_nccl_world(team::Team& team, const NcclWorldOptions& options,
                                           NcclParts parts);

}  // namespace assay::collectives
