// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the CSV files for `assay fit` have in common.
#pragma once

#include <string>

#include "results/export/timings_csv.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// The one host that the run's processes of a module ran on. Throws std::runtime_error where there are two: a
/// fit is of one machine.
std::string one_host(const Store& store, const StoredRun& run, const std::string& module);

/// A cell without what would end it.
std::string csv_cell(std::string text);
/// "a=1 b=2"
std::string csv_cell(const Fields& axes);

/// time_us,time_min_us,time_max_us
std::string csv_times(const StoredPoint& point);

/// With its line feed.
void add_row(TimingsCsv& csv, const std::string& row, const StoredPoint& point, const std::string& host);

/// Adds the last column: what the numbers of the module's processes are. Throws NoTimings with one line where
/// there is no row.
void finish_rows(TimingsCsv& csv, const Store& store, const StoredRun& run, const std::string& module,
                 const std::string& what);

}  // namespace assay::results
