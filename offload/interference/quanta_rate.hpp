// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How fast equal quanta were done within a window, told by the times they ended.
#pragma once

#include <vector>

namespace assay::offload {

/// Quanta a second between two times. `ends_s`: when each ended, in order; the first began at 0, each next
/// one counts as begun when the one before it ended. Fractions of quanta count; 0 for an empty window.
double quanta_per_s(const std::vector<double>& ends_s, double begin_s, double end_s);

}  // namespace assay::offload
