// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/gemm_features.hpp"

#include <cmath>

namespace assay::model::fit {

std::vector<double> gemm_features(const GemmShape& shape, double multiprocessors) {
  const double m = shape.m, n = shape.n, k = shape.k;
  std::vector<double> features = {
      std::log2(m),     std::log2(n),     std::log2(k),         std::log2(m * n),
      std::log2(n * k), std::log2(m * k), std::log2(m * n * k), std::log2(m * n + n * k + m * k)};
  for (const Tile& tile : hopper_tiles()) {
    const double count = std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
    const double waves = std::ceil(count / multiprocessors);
    features.push_back(std::log2(count));
    features.push_back(std::log2(waves));
    features.push_back(std::log2(count * tile.rows * tile.columns / (m * n)));  // padding within tiles
    features.push_back(std::log2(waves * multiprocessors / count));             // idle in the last wave
  }
  features.push_back(std::fmod(m, 2));
  features.push_back(std::fmod(m, 8));
  return features;
}

}  // namespace assay::model::fit
