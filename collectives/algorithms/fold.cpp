// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/fold.hpp"

namespace assay::collectives {
namespace {

Range between(const Edges& edges, Buffer buffer, int first, int last) {
  const std::int64_t begin = edges[static_cast<std::size_t>(first)];
  return {buffer, begin, edges[static_cast<std::size_t>(last)] - begin};
}

/// The aligned window of `width` groups that holds `group`.
Range window(const Edges& edges, Buffer buffer, int group, int width) {
  const int first = group & ~(width - 1);
  return between(edges, buffer, first, first + width);
}

}  // namespace

Edges even_edges(const Fold& fold, std::int64_t count) {
  const Blocks shares{count, fold.groups()};
  Edges edges;
  for (int group = 0; group <= fold.groups(); ++group) edges.push_back(shares.first(group));
  return edges;
}

Edges block_edges(const Fold& fold, const Blocks& blocks) {
  Edges edges;
  for (int group = 0; group < fold.groups(); ++group) edges.push_back(blocks.first(fold.first_rank(group)));
  edges.push_back(blocks.count);
  return edges;
}

void halve(Schedule& schedule, const Fold& fold, const Edges& edges, Buffer buffer) {
  for (int width = fold.groups() / 2; width >= 1; width /= 2) {
    const int partner = fold.group() ^ width;
    const int peer = fold.acting_rank(partner);
    schedule.steps.push_back({.sends = {{peer, window(edges, buffer, partner, width)}},
                              .receives = {{peer, window(edges, buffer, fold.group(), width), true}}});
  }
}

void gather_doubling(Schedule& schedule, const Fold& fold, const Edges& edges) {
  for (int width = 1; width < fold.groups(); width *= 2) {
    const int partner = fold.group() ^ width;
    const int peer = fold.acting_rank(partner);
    schedule.steps.push_back({.sends = {{peer, window(edges, Buffer::output, fold.group(), width)}},
                              .receives = {{peer, window(edges, Buffer::output, partner, width)}}});
  }
}

std::int64_t share_of(const Edges& edges, int group) {
  return between(edges, Buffer::output, group, group + 1).count;
}

std::int64_t doubling_elements(const Fold& fold, const Edges& edges) {
  std::int64_t sum = 0;
  for (int width = 1; width < fold.groups(); width *= 2)
    sum += window(edges, Buffer::output, fold.group(), width).count;
  return sum;
}

}  // namespace assay::collectives
