// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Features cut at up to 255 quantiles, so that a split is looked for among bins and not among values.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fit/regression/boosted_trees.hpp"

namespace assay::model::fit {

class FeatureBins {
 public:
  static constexpr std::size_t most = 255;

  explicit FeatureBins(const FeatureTable& table);

  std::size_t features() const { return thresholds_.size(); }
  /// Bins of one feature; bin b holds values below threshold(feature, b) and not below the one before.
  std::size_t count(std::size_t feature) const { return thresholds_[feature].size() + 1; }
  double threshold(std::size_t feature, std::size_t bin) const { return thresholds_[feature][bin]; }
  const std::uint8_t* row(std::size_t i) const { return bins_.data() + i * features(); }

 private:
  std::vector<std::vector<double>> thresholds_;
  std::vector<std::uint8_t> bins_;
};

}  // namespace assay::model::fit
