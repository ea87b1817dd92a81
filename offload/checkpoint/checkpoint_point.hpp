// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a point says of its checkpoint.
#pragma once

#include "harness/core/axis.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/settings.hpp"

namespace assay::offload {

/// Throws a usage Error naming axis and value.
CheckpointSettings checkpoint_settings(const RoomSettings& room, const core::Point& point);

}  // namespace assay::offload
