// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The self-test of a probe: faults of every kind are planted, each detector says whether it saw them, and
// what it caught is counted kind by kind. One detector must miss nothing; of the others the rate is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/integrity/faults.hpp"

namespace assay::integrity {

class DetectionTable {
 public:
  /// The first detector is the one that must catch every fault.
  explicit DetectionTable(std::vector<std::string> detectors);

  /// `caught`: one answer a detector.
  void add(const Fault& fault, const std::vector<bool>& caught);

  std::int64_t planted() const;
  std::int64_t caught(std::size_t detector) const;
  /// right when the first detector caught everything, wrong with the first fault that it missed, not_checked
  /// when nothing was planted.
  core::Verification verification() const;
  /// planted_faults; caught_by_<detector>_percent for each.
  std::vector<core::Metric> metrics() const;
  /// {"detectors":["bits","checksums"],"faults":[["bit 0",8,8,8],...]}: planted, then caught by each.
  std::string to_json() const;

 private:
  struct Row {
    std::string fault;
    std::int64_t planted = 0;
    std::vector<std::int64_t> caught;
  };
  std::vector<std::string> detectors_;
  std::vector<Row> rows_;  // in the order first seen
  std::string first_missed_;
};

/// The faults that a study plants: `each` of every kind, drawn from the seed.
struct StudyPlan {
  std::uint64_t seed = 1;
  int each = 4;
  bool has_nan = false;
  std::uint64_t nan_bits = 0;
};

/// faults (of each kind), seed: what a self-test plants.
std::vector<core::Axis> study_axes();
/// Throws a usage Error unless 1 <= faults <= 1000.
StudyPlan study_plan(const core::Point& point);

/// Draws each fault from `right` and hands it to `probe`, which plants it, asks its detectors, and takes it
/// back.
void study(const StudyPlan& plan, const Elements& right,
           const std::function<std::vector<bool>(const Fault&)>& probe, DetectionTable& table);

}  // namespace assay::integrity
