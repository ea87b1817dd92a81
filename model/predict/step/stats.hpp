// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The 96 numbers of Calculon's output, by its names and in its order.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/predict/step/step.hpp"

namespace assay::model {

struct Stat {
  std::string_view name;
  std::optional<double> value;  // empty prints as null, and so does infinity, which is also listed by name
};

/// Bytes, FLOP, seconds, bytes/s; of a step that evaluate() called feasible.
std::vector<Stat> stats(const Execution& execution, const BlockCost& block, const Step& step);

/// Adds the numbers that Calculon has no name for.
void add_assay_stats(std::vector<Stat>& stats, const Step& step);

}  // namespace assay::model
