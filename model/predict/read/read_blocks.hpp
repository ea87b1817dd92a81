// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Unlike blocks of an application: `blocks`, or in short `dense_blocks` and `expert_every`.
#pragma once

#include "model/json/json_keys.hpp"
#include "model/predict/system/application.hpp"

namespace assay::model {

/// More blocks than this in an application whose blocks are unlike are refused.
inline constexpr std::int64_t most_unlike_blocks = 4096;

/// Fills `application.blocks` where the file's blocks are unlike, and refuses keys that contradict others.
/// All other keys have been read. Throws a usage Error naming file and key.
void read_blocks(const JsonKeys& keys, Application& application);

/// Makes the first `dense` blocks dense, and of the others all but every n-th; the application has experts.
void divide_experts(std::int64_t dense, std::int64_t every, Application& application);

}  // namespace assay::model
