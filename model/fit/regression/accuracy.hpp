// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The distance of predictions from measurements, whole and by decade of size.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay::model::fit {

struct Accuracy {
  std::size_t rows = 0;
  double mape_percent = 0;  // mean of |predicted / measured - 1|
  double p90_percent = 0;   // its 90th percentile
  double bias_percent = 0;  // mean of predicted / measured - 1
};

/// Signed relative errors, each under the size it belongs to (FLOP or bytes).
class Errors {
 public:
  void add(double size, double predicted, double measured);

  bool empty() const { return decades_.empty(); }
  Accuracy whole() const;
  /// Keyed by the exponent: 9 is sizes from 1e9 up to 1e10.
  std::map<int, Accuracy> by_decade() const;

 private:
  std::map<int, std::vector<double>> decades_;
};

}  // namespace assay::model::fit
