// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/schedule/binary_tree.hpp"

#include <algorithm>

namespace assay::schedule {

int chunks_of(std::int64_t count) {
  constexpr std::int64_t chunk_elements = 32 * 1024, most = 16;
  const std::int64_t half = (count + 1) / 2;
  return static_cast<int>(std::clamp<std::int64_t>((half + chunk_elements - 1) / chunk_elements, 1, most));
}

// In order 1 to m a number with lowest set bit b lies above the numbers less than b away from it: odd ones
// are leaves. The second tree is the first one mirrored (m even) or shifted by one (m odd): both turn odd to
// even.
int BinaryTree::to_order(int place) const {
  if (which_ == Which::first) return place + 1;
  return places_ % 2 == 0 ? places_ - place : (place + 1) % places_ + 1;
}

int BinaryTree::from_order(int order) const {
  if (which_ == Which::first) return order - 1;
  return places_ % 2 == 0 ? places_ - order : wrapped(order - 2, places_);
}

int BinaryTree::parent_in_order(int order) const {
  if (order == 1 << log2_floor(places_)) return 0;
  int bit = order & -order;
  // Up one level at a time: above a number that does not exist (beyond m) stands the next one that does.
  int parent = order;
  do {
    parent = (parent & ~bit) | (2 * bit);
    bit *= 2;
  } while (parent > places_);
  return parent;
}

int BinaryTree::root() const { return from_order(1 << log2_floor(places_)); }

int BinaryTree::parent(int place) const {
  const int order = parent_in_order(to_order(place));
  return order == 0 ? -1 : from_order(order);
}

std::vector<int> BinaryTree::children(int place) const {
  const int order = to_order(place);
  std::vector<int> found;
  const int bit = order & -order;
  for (int child = order - bit + 1; child < order + bit && child <= places_; ++child)
    if (child != order && parent_in_order(child) == order) found.push_back(from_order(child));
  return found;
}

int BinaryTree::depth(int place) const {
  int depth = 0;
  for (int at = parent(place); at >= 0; at = parent(at)) ++depth;
  return depth;
}

}  // namespace assay::schedule
