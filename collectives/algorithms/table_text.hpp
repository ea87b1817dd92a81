// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The table of algorithms for people: `assay-collectives algorithms`, and without its figures
// docs/reference/collective-algorithms.md.
#pragma once

#include <string>

namespace assay::collectives {

/// Markdown: formulas of the steps and of the busiest rank's bytes.
std::string formulas_table();

/// The same with both figures for 8 and 12 ranks, nodes of 4.
std::string steps_and_bytes_table();

}  // namespace assay::collectives
