// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a CSV file for `assay fit`: timings of one module, on the one host that it ran on.
#pragma once

#include <string>
#include <vector>

#include "results/export/timings_csv.hpp"
#include "results/points/run_points.hpp"

namespace assay::results {

class TimingsWriter {
 public:
  /// `columns`: but for the last, what the numbers of the module's processes are. Throws std::runtime_error
  /// where they ran on two hosts: a fit is of one machine.
  TimingsWriter(const Store& store, const std::optional<std::string>& run_id, const std::string& module,
                const std::string& columns);

  const RunPoints& run() const { return run_; }
  const std::string& host() const { return host_; }
  /// Points with such a timing, repetitions joined; the others are left out.
  std::vector<StoredPoint> timings(const char* cases, bool (*is_timing)(const StoredPoint&));
  void leave_out() { ++csv_.left_out; }
  /// `cells`: but for the last.
  void add(const StoredPoint& point, const std::string& cells);
  /// Throws NoTimings with one line where there is no row.
  TimingsCsv finish(const char* what);

 private:
  RunPoints run_;
  std::string host_;
  TimingsCsv csv_;
};

/// A cell without what would end it.
std::string csv_cell(std::string text);
/// "a=1 b=2"
std::string csv_cell(const Fields& axes);

/// time_us,time_min_us,time_max_us
std::string csv_times(const StoredPoint& point);

}  // namespace assay::results
