// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/rainflow.hpp"

#include <cmath>

namespace assay::results {

void Rainflow::add(double value) {
  const std::size_t n = turns_.size();
  if (n >= 1 && value == turns_.back()) return;
  if (n >= 2 && (turns_[n - 1] - turns_[n - 2]) * (value - turns_[n - 1]) > 0) {
    turns_.back() = value;  // goes on in the same direction: no reversal
  } else {
    turns_.push_back(value);
  }
  count_closed();
}

/// X is the latest range, Y the one before it: Y is closed once X is as large. The latest value may yet go
/// further, which only makes X larger: what is closed stays closed.
void Rainflow::count_closed() {
  while (turns_.size() >= 3) {
    const std::size_t n = turns_.size();
    const double x = std::abs(turns_[n - 1] - turns_[n - 2]), y = std::abs(turns_[n - 2] - turns_[n - 3]);
    if (x < y) return;
    if (n == 3) {  // Y holds the starting point
      closed_.emplace_back(y, 0.5);
      turns_.erase(turns_.begin());
    } else {
      closed_.emplace_back(y, 1.0);
      turns_.erase(turns_.end() - 3, turns_.end() - 1);
    }
  }
}

std::vector<std::pair<double, double>> Rainflow::cycles() const {
  std::vector<std::pair<double, double>> all = closed_;
  for (std::size_t at = 1; at < turns_.size(); ++at)
    all.emplace_back(std::abs(turns_[at] - turns_[at - 1]), 0.5);
  return all;
}

double Rainflow::cycles_of(double range) const {
  double found = 0;
  for (const auto& [one, count] : cycles()) found += one >= range ? count : 0;
  return found;
}

}  // namespace assay::results
