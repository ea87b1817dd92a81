// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a run measured of GEMMs or of collectives, as the CSV that `assay fit` reads (docs/fitting.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "results/store.hpp"

namespace assay::results {

struct TimingsCsv {
  std::string text;
  std::int64_t rows = 0;
  std::int64_t left_out = 0;  // points that are not ok, or that are stamped as no performance measurement
};

/// Of that run, or the latest: a row for each shape, type and condition, repetitions joined; times in us.
/// What must not be fitted together (back end, operand layout, data, cache state, algorithm, threads) makes
/// up the column `layout`. Throws std::runtime_error with one line where the run has none.
TimingsCsv gemm_timings_csv(const Store& store, const std::optional<std::string>& run_id);

/// The same of collectives: `algorithm` is the contender, as the crossover table names it, and `source` is
/// the host, the back end and every other axis of the point.
TimingsCsv collective_timings_csv(const Store& store, const std::optional<std::string>& run_id);

}  // namespace assay::results
