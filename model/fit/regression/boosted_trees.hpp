// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Gradient-boosted regression trees: a surface over features that follows steps, which products of tiles are
// full of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::model::fit {

/// rows x features, stored by row.
struct FeatureTable {
  std::size_t features = 0;
  std::vector<double> cells;

  std::size_t rows() const { return cells.size() / features; }
  std::span<const double> row(std::size_t i) const { return {cells.data() + i * features, features}; }
};

struct TreeOptions {
  int trees = 600;
  double learning_rate = 0.08;
  std::size_t leaves = 63;
  std::size_t rows_per_leaf = 5;
  double shrinkage = 1;  // added to the rows of a leaf when its mean is taken
};

/// Leaves have child 0 and carry the value; other nodes send features below the threshold to `child`, others
/// to `child` + 1.
struct TreeNode {
  std::size_t feature = 0;
  double threshold = 0;
  std::size_t child = 0;
  double value = 0;
};
using Tree = std::vector<TreeNode>;

class BoostedTrees {
 public:
  BoostedTrees() = default;
  explicit BoostedTrees(std::vector<Tree> trees) : trees_(std::move(trees)) {}

  /// Follows Huber's loss, its bound the 90th percentile of the residuals of the moment (Friedman 2001, 4.4):
  /// an outlier pulls no more than its neighbours. Features are cut at 255 quantiles; leaves grow best first.
  static BoostedTrees fit(const FeatureTable& features, const std::vector<double>& targets,
                          const TreeOptions& options);

  double predict(std::span<const double> features) const;
  const std::vector<Tree>& trees() const { return trees_; }

 private:
  std::vector<Tree> trees_;
};

}  // namespace assay::model::fit
