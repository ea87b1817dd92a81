// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What stands in a logbook of assay check: failures of a passing moment that nobody has cleared since.
#pragma once

#include <string>

#include "results/judge/verdicts.hpp"

namespace assay::results {

/// A row for each failure that stands, FAIL, and for each look that could not be made, INCONCLUSIVE; no row
/// where nothing stands. Notes tell how many stand, and each that was cleared, when and why. Throws
/// std::runtime_error naming `where` for text that is no logbook.
Verdicts standing_failures(const std::string& logbook, const std::string& where);

}  // namespace assay::results
