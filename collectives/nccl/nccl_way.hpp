// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a point wants NCCL to run its operation.
#pragma once

#include <string>

#include "collectives/nccl/forced_choice.hpp"
#include "harness/core/axis.hpp"

namespace assay::collectives {

/// Each iteration enqueued and waited for; those of a sample in one group; a graph of one, replayed.
enum class Launch { blocking, group, graph };

struct NcclWay {
  Launch launch = Launch::blocking;
  bool registered = false;
  Choice choice = {};
};

/// Throws core::Error (usage) for an unknown value.
NcclWay nccl_way_of(const core::Point& point);

std::string time_counts(Launch launch);

}  // namespace assay::collectives
