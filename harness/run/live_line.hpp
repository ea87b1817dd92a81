// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The line that a run rewrites on a terminal, as wide as the terminal is.
#pragma once

#include <cstddef>
#include <string>

namespace assay::run {

/// "[15/40] ", "rdma 1/12: ", "rdma.verbs.bandwidth bytes=64B", ", interval 5 % (2 % wanted), n = 45",
/// ", about 2 min left"
struct LiveLine {
  std::string counts, of_module, point, interval, left;
};

/// In `columns` columns; 0: whole. What is too wide loses the middle of the point's name, then the module's
/// own counts: how far the run is, the interval and the time left stay as long as they fit.
std::string fitted(const LiveLine& line, std::size_t columns);

}  // namespace assay::run
