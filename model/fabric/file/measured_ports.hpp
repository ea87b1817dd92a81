// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// [[measured]] of a fabric file: what was measured of its ports.
#pragma once

#include <optional>

#include "model/fabric/file/fabric_file.hpp"

namespace assay::model::fabric {

/// Goodput farther from what the line rate leaves, as a share, is of another line rate.
inline constexpr double line_rate_tolerance = 0.1;

enum class GoodputEnd { lower, upper };

/// The fabric with every measured goodput at that end of its interval; nothing where none has an interval.
std::optional<FabricFile> at_goodput(const FabricFile& fabric, GoodputEnd end);

}  // namespace assay::model::fabric
