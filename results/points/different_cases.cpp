// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/different_cases.hpp"

#include <atomic>

#include "results/store/several_readers.hpp"

namespace assay::results {

std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most) {
  std::vector<std::optional<PointsOfCase>> read(cases.size());  // each by one thread
  std::atomic<std::size_t> next = 0;
  std::atomic<std::int64_t> points = 0;
  with_several_readers(store, cases.size(), [&](const Store& own) {
    for (std::size_t at; points < most && (at = next++) < cases.size();) {
      read[at] = different_points_of_case(own, run, cases[at], most);
      points += std::ssize(read[at]->points);
    }
  });
  return read;
}

}  // namespace assay::results
