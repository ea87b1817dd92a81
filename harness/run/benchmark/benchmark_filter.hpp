// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// --benchmark_filter: points by a regular expression over the names that Google Benchmark gives them.
#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include "harness/plan/plan.hpp"

namespace assay::run {

/// "memory.host.copy/bytes=1073741824,threads=2#1": the name of a point, before what Google Benchmark
/// appends.
std::string benchmark_name(const plan::PlannedPoint& planned);

/// POSIX extended, found anywhere in the name, with or without what Google Benchmark appends to it; as there,
/// a leading '-' excludes and "all" is every point.
class BenchmarkFilter {
 public:
  /// Empty: every point. Throws a usage Error on what is not a regular expression.
  explicit BenchmarkFilter(const std::string& expression);

  bool takes(const plan::PlannedPoint& planned) const;

 private:
  bool finds(const std::string& name) const;

  std::shared_ptr<const regex_t> compiled_;  // null: every point
  bool excludes_ = false;
};

}  // namespace assay::run
