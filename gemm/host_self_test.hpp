// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Does the probe see what it is there to see? Faults are planted in the exact result of a product, and every
// detector is asked about each: the comparison of all bits must miss none, of the others the rate is told.
#pragma once

#include <cstddef>
#include <vector>

#include "gemm/points.hpp"
#include "gemm/result_detectors.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/integrity/detection.hpp"

namespace assay::gemm {

class HostSelfTest final : public core::Trial {
 public:
  HostSelfTest(const Request& request, const integrity::StudyPlan& plan);

  /// One iteration plants every kind of fault; the next one plants others.
  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override { return table_.verification(); }
  std::vector<core::Metric> metrics(const core::Measurement&) override { return table_.metrics(); }
  std::vector<core::Fact> facts() override { return {{"detection", table_.to_json()}}; }

 private:
  std::vector<std::byte> right_, faulty_;
  Problem problem_;
  ResultDetectors detectors_;
  integrity::StudyPlan plan_;
  integrity::DetectionTable table_;
};

}  // namespace assay::gemm
