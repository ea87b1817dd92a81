// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A metric of the points of runs, for a claim.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/claims/claim.hpp"
#include "results/points/run_points.hpp"

namespace assay::model::claims {

struct StoredValue {
  double value = 0;
  std::string origin;  // of its run: "measured"
  std::string on;      // the GPU, else the host
};

using Runs = std::span<const results::RunPoints* const>;

/// The value in the first run that has such points. Empty where none has.
std::optional<StoredValue> stored_value(Runs runs, const Quantity& quantity);

}  // namespace assay::model::claims
