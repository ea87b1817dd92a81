// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two binary trees over the same places, made so that none is an inner node of both. Sanders, Speck and
// Traeff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and scan".
#pragma once

#include <vector>

#include "harness/schedule/blocks.hpp"

namespace assay::schedule {

/// Chunks of each half: 1 up to 32 Ki elements, at most 16.
int chunks_of(std::int64_t count);

/// One of the two trees over places 0 to m - 1.
class BinaryTree {
 public:
  enum class Which { first, second };
  BinaryTree(int places, Which which) : places_(places), which_(which) {}

  int root() const;
  int parent(int place) const;  // -1: the root
  std::vector<int> children(int place) const;
  int depth(int place) const;
  /// floor(log2 places): the depth of the deepest place.
  int height() const { return log2_floor(places_); }

 private:
  int to_order(int place) const;  // 1 to m, in which odd numbers are leaves
  int from_order(int order) const;
  int parent_in_order(int order) const;  // 0: the root

  int places_;
  Which which_;
};

}  // namespace assay::schedule
