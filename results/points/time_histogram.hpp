// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A histogram of times: bins of equal ratio, because a latency's tail is decades long.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::results {

struct TimeHistogram {
  std::vector<double> edges_s;  // one more than there are bins; ascending, each a fixed ratio above the last
  std::vector<std::int64_t> counts;  // a bin holds its lower edge; the last one both
};

/// Counts the finite samples above zero, from the lowest to the highest, in `bins` bins; one bin where all
/// are equal, none where there is no such sample. `bins` at least 1.
TimeHistogram time_histogram(const std::vector<double>& samples_s, std::size_t bins);

}  // namespace assay::results
