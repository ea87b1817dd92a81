// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tables of a step's operations and of the sizes of its exchanges.
#pragma once

#include <vector>

#include "harness/training/training_step.hpp"
#include "results/table/table.hpp"

namespace assay::model::workload {

/// Equal exchanges are one row, and compute of one name, with its mean.
results::Table operation_table(const training::TrainingStep& step);
/// Exchanges by powers of two of their bytes: how many, and which share of all bytes.
results::Table size_table(const training::TrainingStep& step);

}  // namespace assay::model::workload
