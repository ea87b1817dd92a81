// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a point wants NCCL to run its operation.
#pragma once

#include <string>

#include "collectives/nccl/forced_choice.hpp"
#include "harness/core/measure/axis.hpp"

namespace assay::collectives {

/// Each iteration enqueued and waited for; those of a sample in one group; a graph of one, replayed.
enum class Launch { blocking, group, graph };

/// How many blocks of threads (CTAs) NCCL may use; none: copy engines, where it has them.
enum class CtaPolicy { left_to_nccl, efficiency, zero };

struct NcclWay {
  Launch launch = Launch::blocking;
  bool registered = false;
  bool symmetric_window = false;
  CtaPolicy cta_policy = CtaPolicy::left_to_nccl;
  int channels = 0;  // 0: NCCL chooses
  Choice choice = {};
  bool keeps_communicators = false;  // for the next point, and takes over what the one before kept
};

/// Throws core::Error (usage) for an unknown value.
NcclWay nccl_way_of(const core::Point& point);

std::string time_counts(Launch launch);

}  // namespace assay::collectives
