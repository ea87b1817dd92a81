// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The intervals of what was measured, in the same system file: top-level `intervals`, {"KEY": [low, high]},
// which Calculon ignores and `assay search --sensitivity` uses (docs/method/model.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/exporters/calculon/gemm_staircases.hpp"
#include "model/exporters/calculon/network_tier.hpp"

namespace assay::model::calculon {

/// States the intervals of the engine of `datatype` and the first memory: each step with bounds, and both
/// peaks, which stand for all steps together. Removes what the base stated of these tables.
void state_intervals(nlohmann::json& system, const std::string& datatype, const GemmStaircases& staircases);

/// States the intervals of a network tier that `network` was put into: its latency, its bandwidth, which
/// stands for its efficiency, and the scalars of operations other than the first.
void state_intervals(nlohmann::json& system, std::size_t tier, const FittedNetwork& network);

}  // namespace assay::model::calculon
