// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point that an interrupt cut short, or that drifted, and that a resume measured again counts once: the
// first is kept as evidence, where no table and no judge takes it for a measurement.
#pragma once

#include <cstdint>

#include "results/store/sqlite/database.hpp"

namespace assay::results {

/// Whether a point of any run may be superseded; seldom true.
bool any_point_may_be_superseded(const Database& database);

/// Inside a transaction, once all records of the run that came with it are there and counted.
void set_superseded_aside(Database& database, std::int64_t run);

}  // namespace assay::results
