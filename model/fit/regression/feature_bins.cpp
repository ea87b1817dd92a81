// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/feature_bins.hpp"

#include <algorithm>

namespace assay::model::fit {
namespace {

/// Half-way between neighbours, at every distinct value or, where there are too many, at quantiles.
std::vector<double> thresholds_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> distinct(values);
  distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  if (distinct.size() > FeatureBins::most) {
    for (std::size_t i = 0; i < FeatureBins::most; ++i)
      distinct[i] = values[i * (values.size() - 1) / (FeatureBins::most - 1)];
    distinct.resize(FeatureBins::most);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  }
  std::vector<double> thresholds;
  for (std::size_t i = 1; i < distinct.size(); ++i) thresholds.push_back((distinct[i - 1] + distinct[i]) / 2);
  return thresholds;
}

}  // namespace

FeatureBins::FeatureBins(const FeatureTable& table) : bins_(table.cells.size()) {
  std::vector<double> column(table.rows());
  for (std::size_t f = 0; f < table.features; ++f) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = table.row(i)[f];
    thresholds_.push_back(thresholds_of(column));
    for (std::size_t i = 0; i < column.size(); ++i)
      bins_[i * table.features + f] = static_cast<std::uint8_t>(
          std::ranges::upper_bound(thresholds_[f], column[i]) - thresholds_[f].begin());
  }
}

}  // namespace assay::model::fit
