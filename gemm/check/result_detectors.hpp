// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The ways to see that a result is wrong, each asked about the same planted faults: every bit against the
// truth, the digest, exact checksums, checksums with a tolerance for rounding, and a look for NaN and
// infinity.
#pragma once

#include <string>
#include <vector>

#include "gemm/check/output.hpp"
#include "gemm/problem.hpp"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/integrity/elements.hpp"
#include "harness/integrity/faults.hpp"

namespace assay::gemm {

class ResultDetectors {
 public:
  /// Takes `right`, the exact result of this product, which must outlive the detectors.
  ResultDetectors(const Problem& problem, const integrity::Elements& right);

  /// bits, digest, checksums, tolerance, not_finite.
  static std::vector<std::string> names();
  /// Each detector's verdict on `got`, which differs from the right result by `fault` or not at all.
  std::vector<bool> ask(const integrity::Elements& got, const integrity::Fault& fault) const;

 private:
  struct Sums {
    std::vector<double> rows, columns;
  };
  Sums sums_of(const integrity::Elements& result) const;
  bool beyond_tolerance(const integrity::Elements& got) const;

  Problem problem_;
  integrity::Elements right_;
  integrity::Checksums checksums_;
  Digest digest_;
  Sums expected_, tolerance_;
};

/// The plan with a NaN, where an output of this type can be one.
integrity::StudyPlan with_nan(OutputType type, integrity::StudyPlan plan);

}  // namespace assay::gemm
