// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a point says of its checkpoint.
#pragma once

#include <cstdint>

#include "harness/core/axis.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/settings.hpp"

namespace assay::offload {

/// Of the whole checkpoint. Throws a usage Error naming axis and value.
std::int64_t checkpoint_bytes(const core::Point& point);

/// Throws a usage Error naming axis and value, also where that many shards cannot be cut of that many bytes.
CheckpointSettings checkpoint_settings(const ModuleSettings& module, const core::Point& point);

}  // namespace assay::offload
