// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a CSV file for `assay fit`: timings of one module, on the one host that it ran on.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/export/timings_csv.hpp"
#include "results/points/run_points.hpp"

namespace assay::results {

/// A choice of points in a store: of the latest run without an id, all without a glob.
struct WantedPoints {
  std::optional<std::string> run_id;
  std::string filter;  // a glob over cases or case/point
};

class TimingsWriter {
 public:
  /// `columns`: but for the last, what the numbers of the module's processes are. Throws std::runtime_error
  /// where they ran on two hosts: a fit is of one machine.
  TimingsWriter(const Store& store, const WantedPoints& wanted, const std::string& module,
                const std::string& columns);

  const RunPoints& run() const { return run_; }
  const std::string& host() const { return host_; }
  bool wants(const StoredPoint& point) const { return filter_.empty() || ids_.contains(point.id); }
  /// Points that are wanted, with such a timing, repetitions joined; the others are left out.
  std::vector<StoredPoint> timings(const char* cases, bool (*is_timing)(const StoredPoint&));
  void leave_out() { ++csv_.left_out; }
  /// `cells`: but for the last.
  void add(const StoredPoint& point, const std::string& cells);
  /// Throws NoTimings with one line where there is no row.
  TimingsCsv finish(const char* what);

 private:
  RunPoints run_;
  std::string host_, filter_;
  std::set<std::int64_t> ids_;  // that the filter matches
  TimingsCsv csv_;
};

/// Not where another tool states a mean over ranks, which no operation took, or ran several groups at once.
bool is_time_of_all_ranks(const PointRecord& record);

/// Text as a cell, without what would end it: fits read no quotes. Every text takes this way.
std::string timing_cell(std::string text);
/// "a=1 b=2"
std::string timing_cell(const Fields& axes);

/// time_us,time_min_us,time_max_us of one of `parts` equal parts of an iteration
std::string csv_times(const StoredPoint& point, double parts = 1);

}  // namespace assay::results
