// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/boosted_trees.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/core/statistics/order_statistic.hpp"
#include "model/fit/regression/feature_bins.hpp"

namespace assay::model::fit {
namespace {

struct Sum {
  double gradient = 0;
  double rows = 0;

  Sum operator-(const Sum& other) const { return {gradient - other.gradient, rows - other.rows}; }
};

/// Sums over the rows of a leaf, per feature and bin.
using Histogram = std::vector<Sum>;

struct Split {
  double gain = 0;
  std::size_t feature = 0, bin = 0;
};

struct Leaf {
  std::size_t node = 0;
  std::size_t from = 0, to = 0;  // its rows in the order of the grower
  Histogram histogram;
  Split best;
};

class Grower {
 public:
  Grower(const FeatureBins& bins, const std::vector<double>& gradient, const TreeOptions& options)
      : bins_(bins), gradient_(gradient), options_(options), order_(gradient.size()) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  }

  /// `fitted` gains what the tree says of each row.
  Tree grow(std::vector<double>& fitted) {
    tree_.assign(1, {});
    leaves_.clear();
    leaves_.push_back(leaf(0, 0, order_.size(), histogram(0, order_.size())));
    while (leaves_.size() < options_.leaves) {
      const auto best =
          std::ranges::max_element(leaves_, {}, [](const Leaf& each) { return each.best.gain; });
      if (best->best.gain <= 0) break;
      split(static_cast<std::size_t>(best - leaves_.begin()));
    }
    for (const Leaf& each : leaves_) settle(each, fitted);
    return std::move(tree_);
  }

 private:
  Histogram histogram(std::size_t from, std::size_t to) const {
    Histogram sums(bins_.features() * FeatureBins::most);
    for (std::size_t i = from; i < to; ++i) {
      const double gradient = gradient_[order_[i]];
      const std::uint8_t* bin = bins_.row(order_[i]);
      for (std::size_t f = 0; f < bins_.features(); ++f) {
        Sum& sum = sums[f * FeatureBins::most + bin[f]];
        sum.gradient += gradient;
        sum.rows += 1;
      }
    }
    return sums;
  }

  double score(const Sum& sum) const { return sum.gradient * sum.gradient / (sum.rows + options_.shrinkage); }

  Split best_split(const Histogram& sums, const Sum& whole) const {
    Split best;
    const auto fewest = static_cast<double>(options_.rows_per_leaf);
    for (std::size_t f = 0; f < bins_.features(); ++f) {
      Sum left;
      for (std::size_t bin = 0; bin + 1 < bins_.count(f); ++bin) {
        left.gradient += sums[f * FeatureBins::most + bin].gradient;
        left.rows += sums[f * FeatureBins::most + bin].rows;
        const Sum right = whole - left;
        if (left.rows < fewest) continue;
        if (right.rows < fewest) break;
        const double gain = score(left) + score(right) - score(whole);
        if (gain > best.gain + 1e-12) best = {gain, f, bin};
      }
    }
    return best;
  }

  Leaf leaf(std::size_t node, std::size_t from, std::size_t to, Histogram sums) const {
    Sum whole;
    for (std::size_t i = from; i < to; ++i) whole.gradient += gradient_[order_[i]];
    whole.rows = static_cast<double>(to - from);
    const Split best = best_split(sums, whole);
    return {node, from, to, std::move(sums), best};
  }

  void split(std::size_t at) {
    Leaf parent = std::move(leaves_[at]);
    const auto [gain, feature, bin] = parent.best;
    const std::size_t child = tree_.size();
    tree_[parent.node] = {feature, bins_.threshold(feature, bin), child, 0};
    tree_.resize(child + 2);
    const auto goes_left = [&](std::uint32_t row) { return bins_.row(row)[feature] <= bin; };
    const auto begin = order_.begin();
    const auto middle = static_cast<std::size_t>(
        std::stable_partition(begin + static_cast<std::ptrdiff_t>(parent.from),
                              begin + static_cast<std::ptrdiff_t>(parent.to), goes_left) -
        begin);
    // The smaller side is counted, the larger is the difference.
    const bool left_is_smaller = middle - parent.from < parent.to - middle;
    Histogram smaller = left_is_smaller ? histogram(parent.from, middle) : histogram(middle, parent.to);
    Histogram larger = std::move(parent.histogram);
    for (std::size_t i = 0; i < larger.size(); ++i) larger[i] = larger[i] - smaller[i];
    if (!left_is_smaller) std::swap(smaller, larger);
    leaves_[at] = leaf(child, parent.from, middle, std::move(smaller));
    leaves_.push_back(leaf(child + 1, middle, parent.to, std::move(larger)));
  }

  void settle(const Leaf& each, std::vector<double>& fitted) {
    double sum = 0;
    for (std::size_t i = each.from; i < each.to; ++i) sum += gradient_[order_[i]];
    const double value =
        options_.learning_rate * sum / (static_cast<double>(each.to - each.from) + options_.shrinkage);
    tree_[each.node].value = value;
    for (std::size_t i = each.from; i < each.to; ++i) fitted[order_[i]] += value;
  }

  const FeatureBins& bins_;
  const std::vector<double>& gradient_;
  const TreeOptions& options_;
  std::vector<std::uint32_t> order_;
  std::vector<Leaf> leaves_;
  Tree tree_;
};

std::vector<double> huber_gradient(const std::vector<double>& targets, const std::vector<double>& fitted) {
  std::vector<double> gradient(targets.size()), magnitude(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    gradient[i] = targets[i] - fitted[i];
    magnitude[i] = std::abs(gradient[i]);
  }
  const double bound = std::max(core::at_rank(magnitude, magnitude.size() * 9 / 10), 1e-9);
  for (double& value : gradient) value = std::clamp(value, -bound, bound);
  return gradient;
}

double value_of(const Tree& tree, std::span<const double> features) {
  std::size_t at = 0;
  while (tree[at].child != 0) at = tree[at].child + (features[tree[at].feature] < tree[at].threshold ? 0 : 1);
  return tree[at].value;
}

}  // namespace

BoostedTrees BoostedTrees::fit(const FeatureTable& features, const std::vector<double>& targets,
                               const TreeOptions& options) {
  const FeatureBins bins(features);
  std::vector<Tree> trees;
  std::vector<double> fitted(targets.size());
  for (int tree = 0; tree < options.trees; ++tree) {
    const std::vector<double> gradient = huber_gradient(targets, fitted);
    trees.push_back(Grower(bins, gradient, options).grow(fitted));
  }
  return BoostedTrees(std::move(trees));
}

double BoostedTrees::predict(std::span<const double> features) const {
  double sum = 0;
  for (const Tree& tree : trees_) sum += value_of(tree, features);
  return sum;
}

}  // namespace assay::model::fit
