// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys that a query is multiplied with under the application's mask, on average over a sequence.
#pragma once

#include "model/predict/system/application.hpp"

namespace assay::model {

/// The keys that the mask leaves.
double seen_keys(const Application& application);

/// The keys that a fused kernel works on: it leaves out only the tiles of 128 x 128 that the mask hides
/// whole, so that a half of a tile is added at each edge of the mask. All of the sequence where nothing
/// masks.
double tiled_keys(const Application& application);

}  // namespace assay::model
