// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/tree_shape.hpp"

#include <algorithm>

namespace assay::team {
namespace {

/// All ranks below the first of `tree`, in `parts` ranges that differ by one rank at most.
std::vector<RankRange> split(const RankRange& tree, int parts) {
  std::vector<RankRange> ranges;
  const int below = tree.end - tree.first - 1;
  int first = tree.first + 1;
  for (int part = 0; part < parts; ++part) {
    const int end = first + below / parts + (part < below % parts ? 1 : 0);
    if (end > first) ranges.push_back({first, end});
    first = end;
  }
  return ranges;
}

int parts_of(int size, const TreeShape& shape) {
  return std::max(1, size <= shape.star_up_to ? size - 1 : shape.fan_out);
}

}  // namespace

TreePlace place_in_tree(int rank, int size, const TreeShape& shape) {
  const int parts = parts_of(size, shape);
  TreePlace place{.rank = rank, .parent = -1, .size = size, .children = split({0, size}, parts)};
  for (int at = 0; at != rank;) {
    const auto below =
        std::ranges::find_if(place.children, [&](const RankRange& range) { return range.holds(rank); });
    place.parent = at;
    at = below->first;
    place.children = split(*below, parts);
  }
  return place;
}

int height_of_tree(int size, const TreeShape& shape) {
  int height = 0;
  // The first part of a split is never smaller than another.
  for (RankRange tree{0, size}; tree.end - tree.first > 1; ++height)
    tree = split(tree, parts_of(size, shape)).front();
  return height;
}

}  // namespace assay::team
