// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Builds the records of a run with synthetic numbers, process by process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/record/journal.hpp"

namespace assay::results::test {

inline constexpr double peak_tflops = 3.2;

struct HeadlineOf {
  std::string metric, unit;
  std::function<double(double seconds)> rate;  // turns seconds into the headline
};

class RunBuilder {
 public:
  explicit RunBuilder(std::string run_id) : run_id_(std::move(run_id)) {}

  void begin(std::int64_t process, const std::string& module);
  void end();
  PointRecord point(const std::string& name, Fields axes);
  /// Adds a point of `n` samples around that time; the headline becomes the first metric.
  void measured(PointRecord record, double seconds, const HeadlineOf& headline, std::size_t n = 60);
  void not_measured(PointRecord record, Status status, const std::string& reason);
  std::vector<Record> take() { return std::move(records_); }

 private:
  std::string run_id_, module_;
  std::int64_t process_ = 0, points_ = 0;
  std::vector<Record> records_;
};

}  // namespace assay::results::test
