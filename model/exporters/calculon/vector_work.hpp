// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A timed vector kernel as the model counts it: FLOPs and bytes of its layer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/exporters/calculon/engine_steps.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::calculon {

struct VectorWork {
  std::string_view dtype;  // Calculon's name
  EngineRow row;
};

/// The work of a forward pass on this back end; nothing for other passes, dtypes that the model lacks, and
/// the optimizer.
std::optional<VectorWork> forward_work(const fit::SizeRow& row, const std::string& back_end);

}  // namespace assay::model::calculon
