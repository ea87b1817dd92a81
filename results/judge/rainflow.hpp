// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rainflow counting after ASTM E1049-85 (2017), section 5.4.4: how often a load went up and down, and by how
// much. A small swing within a large one counts as itself and leaves the large one whole.
#pragma once

#include <utility>
#include <vector>

namespace assay::results {

class Rainflow {
 public:
  void add(double value);

  /// Range and how often, 1 or 0.5 each; what is still open counts as half cycles.
  std::vector<std::pair<double, double>> cycles() const;
  /// How many cycles there were of at least this range.
  double cycles_of(double range) const;

 private:
  void count_closed();

  std::vector<double> turns_;  // reversals that no closed cycle has used up, the latest value last
  std::vector<std::pair<double, double>> closed_;
};

}  // namespace assay::results
