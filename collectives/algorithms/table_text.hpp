// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The table of algorithms for people: `assay-collectives algorithms`, and
// docs/reference/collective-algorithms.md.
#pragma once

#include <string>

namespace assay::collectives {

/// Markdown: formulas, and steps and busiest rank's bytes for 8 and 12 ranks, nodes of 4.
std::string steps_and_bytes_table();

}  // namespace assay::collectives
